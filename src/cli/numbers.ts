const grouped = new Intl.NumberFormat('en-US');

export const formatCount = (count: number): string => grouped.format(count);

/** `1 row`, `2 rows`. */
export const counted = (count: number, noun: string): string =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
