import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { sortKeyOfName } from '../../src/core/sort-name.ts';
import { refusalOf } from '../support/refusal.ts';

const keyOf = (name: string, locale = 'en', naturalNumbers = false) => sortKeyOfName(name, locale, naturalNumbers);

describe('R2: sort keys of names', () => {
  it.each([
    ['Zoë', 'zoe'],
    ['ZOE', 'zoe'],
    ['Zoe\u0308', 'zoe'],
    ['Ångström', 'angstrom'],
    ['Łukasz Øre', 'lukasz ore'],
    ['Æsir Straße', 'aesir strasse'],
    ['ﬁn ①', 'fin 1'],
    ['  two   spaces\t', 'two spaces'],
    ['李小龙', 'li xiao long'],
    ['吕布', 'lv bu'],
    // A surname by its special reading.
    ['曾国藩', 'zeng guo fan'],
    ['', ''],
  ])('%j is %j', (name, key) => {
    expect(keyOf(name)).toBe(key);
  });

  it('follow the rules of the locale', () => {
    expect(keyOf('IRMAK', 'tr')).toBe('irmak');
    expect(keyOf('李', 'ja')).not.toBe(keyOf('李', 'zh'));
  });

  it('order Chinese names as pinyin does', () => {
    const names = ['张伟', '王芳', '李娜', '陈静', '赵敏'];
    expect(names.toSorted((a, b) => (keyOf(a, 'zh-CN') < keyOf(b, 'zh-CN') ? -1 : 1))).toEqual([
      '陈静',
      '李娜',
      '王芳',
      '张伟',
      '赵敏',
    ]);
  });

  it('order numbers by value where that is asked for', () => {
    const names = ['Team 10', 'Team 9', 'Team 100', 'Team 009a', 'Team 0'];
    const sorted = (natural: boolean) =>
      names.toSorted((a, b) =>
        Buffer.compare(Buffer.from(keyOf(a, 'en', natural)), Buffer.from(keyOf(b, 'en', natural))),
      );
    expect(sorted(true)).toEqual(['Team 0', 'Team 9', 'Team 009a', 'Team 10', 'Team 100']);
    expect(sorted(false)).toEqual(['Team 0', 'Team 009a', 'Team 10', 'Team 100', 'Team 9']);
  });

  it('have a limit, and are made of text', async () => {
    expect(keyOf('x'.repeat(limits.sortNameBytes))).toHaveLength(limits.sortNameBytes);
    expect(await refusalOf(() => keyOf('x'.repeat(limits.sortNameBytes + 1)))).toBe('BAD_SORT_KEY');
    expect(await refusalOf(() => keyOf('\ud83d'))).toBe('BAD_SORT_KEY');
  });
});
