import { BadRow } from './row.ts';

/** A number of at most 15 significant digits survives the way through a double unchanged. */
const exactDigits = 15;

/** The number that a text states, refused where a double could not hold it exactly. */
export function parseScoreText(text: string): number {
  const [, whole = '', fraction = ''] = /^[+-]?(\d*)(?:\.(\d+))?(?:e[+-]?\d{1,3})?$/i.exec(text.trim()) ?? [];
  const score = Number(text.trim());
  if (whole + fraction === '' || !Number.isFinite(score)) {
    throw new BadRow(`${JSON.stringify(text)} is not a number (digits, with a point for decimals)`);
  }
  const digits = (whole + fraction).replace(/^0+/, '').replace(/0+$/, '');
  if (digits.length > exactDigits && !Number.isSafeInteger(score)) {
    throw new BadRow(`${JSON.stringify(text)} has more digits than can be kept exactly`);
  }
  return score;
}
