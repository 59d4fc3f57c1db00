import { pinyin } from 'pinyin-pro';
import { LaurelError } from './errors.ts';
import { limits } from './limits.ts';
import { byteLength } from './text.ts';

/** Letters that Unicode does not decompose into a base letter and a mark. */
const baseLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
};

/**
 * A key that sorts names as people expect: Chinese as pinyin (surnames by their special readings; a caller's own key is
 * for where that guesses wrong), compatibility forms and accents folded, upper and lower case alike by the locale's
 * rules, and if asked numbers by value. Names that differ in nothing else have the same key: the member id decides.
 */
export function sortKeyOfName(name: string, locale: string, naturalNumbers: boolean): string {
  if (byteLength(name) > limits.sortNameBytes || /\p{Cs}/u.test(name)) {
    throw new LaurelError('BAD_SORT_KEY', `A sortName is text of up to ${limits.sortNameBytes} bytes.`);
  }
  const folded = latinized(name, locale)
    .toLocaleUpperCase(locale)
    .toLocaleLowerCase(locale)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłđðþæœıħŋ]/gu, (letter) => baseLetters[letter] ?? letter)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return naturalNumbers ? folded.replace(/\p{Nd}+/gu, numberKey) : folded;
}

/** Han characters read as Chinese, except where the locale says that they are something else. */
function latinized(name: string, locale: string): string {
  if (!/\p{Script=Han}/u.test(name) || /^(ja|ko)\b/.test(locale)) return name;
  return pinyin(name, { toneType: 'none', type: 'array', mode: 'surname', nonZh: 'consecutive', v: true }).join(' ');
}

/** Digits with their number before them: of two numbers the one with fewer digits is the smaller. */
function numberKey(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, '');
  return String.fromCharCode(0x30 + Math.min(significant.length, 40)) + significant;
}
