import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/cli/csv-line.ts';
import { demoMembers } from '../../src/cli/demo/demo-members.ts';
import { displayWidth, tableLines } from '../../src/cli/table.ts';
import { checkMemberId, checkProfile } from '../../src/core/member.ts';

describe('a table', () => {
  it('is aligned, wide characters and accents included', () => {
    const columns = [
      { title: 'RANK', align: 'right' },
      { title: 'NAME', align: 'left' },
      { title: 'TEAM', align: 'left' },
    ] as const;
    const rows = [
      ['1', '李小龙', 'a'],
      ['10', 'Zoe\u0308', 'b'],
      ['100', 'Ann', ''],
    ];
    expect(tableLines(columns, rows)).toEqual([
      'RANK  NAME    TEAM',
      '   1  李小龙  a',
      '  10  Zoe\u0308     b',
      ' 100  Ann',
    ]);
  });

  it('lets no name steer the terminal', () => {
    expect(tableLines([{ title: 'N', align: 'left' }], [['a\x1b[2Jb\n']])).toEqual(['N', 'a�[2Jb�']);
  });

  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['김민준', 6],
    ['ｱ', 1],
    ['Ａ', 2],
    ['👩‍👩‍👧', 2],
  ])('counts %j as %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('a line of CSV', () => {
  it('quotes what must be quoted, and nothing else', () => {
    expect(csvLine([1, null, 'a b', 'a,b', 'a"b', 'a\nb', ' a', ''])).toBe('1,,a b,"a,b","a""b","a\nb"," a",');
    expect(csvLine(['a,b', 'a;b'], ';')).toBe('a,b;"a;b"');
  });
});

describe('the demo members', () => {
  it('are as many as promised, each with an id and a name of its own, within the limits of a profile', () => {
    expect(demoMembers).toHaveLength(300);
    expect(new Set(demoMembers.map(({ memberId }) => checkMemberId(memberId))).size).toBe(300);
    expect(new Set(demoMembers.map(({ displayName }) => displayName)).size).toBe(300);
    for (const member of demoMembers) expect(() => checkProfile(member)).not.toThrow();
  });
});
