export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
}

/** Rows as aligned lines of text, a title line first. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns.map((column) => column.title), ...rows.map((row) => row.map(printable))];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => displayWidth(row[i] ?? ''))));
  return all.map((row) =>
    columns
      .map(({ align }, i) => {
        const text = row[i] ?? '';
        const space = ' '.repeat((widths[i] ?? 0) - displayWidth(text));
        return align === 'right' ? space + text : text + space;
      })
      .join('  ')
      .trimEnd(),
  );
}

const segmenter = new Intl.Segmenter();
const wide =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^\p{Emoji_Presentation}/u;

/** Columns that a text takes on a terminal: East Asian characters and emoji take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

/** Names are other people's text: control characters in one must not steer the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '�');
