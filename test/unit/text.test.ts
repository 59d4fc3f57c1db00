import { describe, expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { checkMemberId, checkProfile, emptyProfile } from '../../src/core/member.ts';
import { byteLength, checkJson, checkText } from '../../src/core/text.ts';
import { refusalOf } from '../support/refusal.ts';

describe('member ids', () => {
  it.each([
    ['one byte', 'a'],
    ['128 bytes', 'x'.repeat(128)],
    ['128 bytes in 64 characters', 'é'.repeat(64)],
    ['128 bytes in 32 emoji', '😀'.repeat(32)],
    ['an emoji of several code points', '👩‍👩‍👧‍👦'],
    ['spaces', ' a b '],
    ['what Redis and JSON could mistake', '"\\{}:#*[('],
    ['Chinese', '李小龙'],
    ['U+FFFD itself', '\ufffd'],
  ])('may be %s', (_, memberId) => {
    expect(checkMemberId(memberId)).toBe(memberId);
  });

  it.each([
    ['empty', ''],
    ['129 bytes', 'x'.repeat(129)],
    ['129 bytes in 65 characters', `${'é'.repeat(64)}x`],
    ['132 bytes in 33 emoji', '😀'.repeat(33)],
    ['with NUL', 'a\0b'],
    ['with a line feed', 'a\n'],
    ['with DEL', '\x7f'],
    ['with a C1 control character', '\x85'],
    ['with half an emoji, the first', '\ud83d'],
    ['with half an emoji, the second', 'a\ude00b'],
    ['with the halves in the wrong order', '\ude00\ud83d'],
  ])('may not be %s', async (_, memberId) => {
    expect(await refusalOf(() => checkMemberId(memberId))).toBe('BAD_MEMBER_ID');
  });
});

describe('texts', () => {
  it('are measured in bytes of UTF-8', () => {
    expect([byteLength('ab'), byteLength('é'), byteLength('李'), byteLength('😀')]).toEqual([2, 2, 3, 4]);
  });

  it('are refused with the name of the argument', () => {
    expect(() => checkText('', 'title', 10)).toThrow('title must not be empty');
    expect(() => checkText('ééé', 'title', 5)).toThrow('title has 6 bytes; at most 5');
    expect(() => checkText('\t', 'title', 5)).toThrow('title holds a control character');
  });

  it('as JSON have a limit too', async () => {
    expect(checkJson({ a: 'é' }, 'attributes', 10)).toBe('{"a":"é"}');
    expect(await refusalOf(() => checkJson({ a: 'é' }, 'attributes', 9))).toBe('BAD_INPUT');
  });
});

describe('profiles', () => {
  const withAvatar = (avatarUrl: string) => ({ ...emptyProfile, avatarUrl });

  it('may be full, empty, or carry an inline image', () => {
    const full = { displayName: 'Zoë 李', avatarUrl: 'https://a.example/z.png', attributes: { country: 'CH' } };
    for (const profile of [
      full,
      emptyProfile,
      withAvatar('data:image/png;base64,AA'),
      withAvatar('HTTP://a.example'),
    ]) {
      expect(checkProfile(profile)).toBe(profile);
    }
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    '//a.example/z.png',
    'file:///etc/passwd',
    ' https://a.example',
    '',
  ])('may not show %j as an avatar', async (avatarUrl) => {
    expect(await refusalOf(() => checkProfile(withAvatar(avatarUrl)))).toBe('BAD_INPUT');
  });

  it.each([
    { ...emptyProfile, displayName: '' },
    { ...emptyProfile, displayName: 'n'.repeat(limits.displayNameBytes + 1) },
    { ...emptyProfile, displayName: 'a\u0000' },
    withAvatar(`https://a.example/${'x'.repeat(limits.avatarUrlBytes)}`),
    { ...emptyProfile, attributes: { text: 'x'.repeat(limits.attributesBytes) } },
  ])('have limits (%#)', async (profile) => {
    expect(await refusalOf(() => checkProfile(profile))).toBe('BAD_INPUT');
  });
});
