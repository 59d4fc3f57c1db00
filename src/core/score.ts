import { LaurelError } from './errors.ts';

/**
 * Scores are exact decimals. Inside Laurel one is a `ScoreText`: the integer score × 10^scale as decimal text (rule S1),
 * which a sorted set's double holds exactly. Nothing here multiplies or divides: digits are moved, so 0.1 + 0.2 is 0.3.
 */
export type ScoreText = string;

/** Decimals a leaderboard may keep: 0 to 9. */
export const maxScale = 9;

/** The largest stored integer: 2^53 − 1, or 15 digits where there are decimals, so that every one has its own double. */
export const highestStored = (scale: number): number => (scale === 0 ? Number.MAX_SAFE_INTEGER : 10 ** 15 - 1);

/** Score → stored integer text. Refuses NaN, ±Infinity, too many decimals and what leaves the range. */
export function parseScore(score: number, scale: number): ScoreText {
  const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(score));
  if (!decimal) throw new LaurelError('SCORE_OUT_OF_RANGE', `A score must be a finite number, not ${score}.`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimal;
  const point = whole.length + Number(exponent) + scale;
  const digits = (whole + fraction).replace(/0+$/, '');
  if (digits.length > point && /[1-9]/.test(digits.slice(Math.max(point, 0)))) {
    throw new LaurelError(
      'SCORE_TOO_PRECISE',
      `Score ${score} has more decimals than this leaderboard keeps (scoreScale ${scale}); round it first.`,
    );
  }
  const stored =
    point > 0
      ? digits
          .slice(0, point)
          .padEnd(Math.min(point, 400), '0')
          .replace(/^0+(?=\d)/, '')
      : '0';
  if (Number(stored) > highestStored(scale)) {
    const highest = formatScore(String(highestStored(scale)), scale);
    throw new LaurelError(
      'SCORE_OUT_OF_RANGE',
      `Score ${score} is outside ±${highest}, what a leaderboard of scoreScale ${scale} can hold exactly.`,
    );
  }
  return stored === '0' ? '0' : sign + stored;
}

/** Stored integer text → score. */
export function formatScore(stored: ScoreText, scale: number): number {
  if (scale === 0) return Number(stored);
  const sign = stored.startsWith('-') ? '-' : '';
  const digits = stored.slice(sign.length).padStart(scale + 1, '0');
  return Number(`${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`);
}
