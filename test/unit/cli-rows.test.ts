import { basename } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine } from '../../src/cli/csv-line.ts';
import { csvRows } from '../../src/cli/import/csv-rows.ts';
import { jsonlRows } from '../../src/cli/import/jsonl-rows.ts';
import { openRows } from '../../src/cli/import/open-rows.ts';
import type { RowSource } from '../../src/cli/import/row.ts';
import { runs, seeded } from '../support/seed.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

async function* pieces(...texts: string[]) {
  yield* texts;
}

async function read({ rows }: RowSource, ...columns: string[]) {
  const all: [number, ...string[]][] = [];
  for await (const row of rows) all.push([row.line, ...columns.map((column) => textOf(() => row.value(column)))]);
  return all;
}

function textOf(value: () => string): string {
  try {
    return value();
  } catch (error) {
    return `bad: ${(error as Error).message}`;
  }
}

const csv = (...texts: string[]) => csvRows(pieces(...texts), { name: 'file.csv', delimiter: ',', columns: ['a'] });
const jsonl = (...texts: string[]) => jsonlRows(pieces(...texts), 'file.jsonl');

describe('rows of a CSV file', () => {
  it.each([
    ['line feeds', 'a,b\n1,2\n3,4\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['mixed line ends', 'a,b\r\n1,2\n3,4\r\n'],
    ['no line end after the last row', 'a,b\n1,2\n3,4'],
  ])('are read with %s', async (_, text) => {
    expect(await read(csv(text), 'a', 'b')).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
    ]);
  });

  it('say on which line they begin, after cells of several lines and blank lines', async () => {
    const text = 'a,b\r\n\r\n"x\r\ny",2\r\n"u\nv\nw",4\n\n5,6\n';
    expect(await read(csv(text), 'a')).toEqual([
      [3, 'x\r\ny'],
      [5, 'u\nv\nw'],
      [9, '5'],
    ]);
  });

  it('are read from pieces that end anywhere', async () => {
    const text = 'a,b\r\n"é ""x""\r\n",2\r\n3,4';
    const whole = await read(csv(text), 'a', 'b');
    for (let i = 0; i <= text.length; i += 1) {
      expect(await read(csv(text.slice(0, i), text.slice(i)), 'a', 'b')).toEqual(whole);
    }
    expect(whole).toEqual([
      [2, 'é "x"\r\n', '2'],
      [4, '3', '4'],
    ]);
  });

  it('with a wrong number of cells are bad, not the end', async () => {
    expect(await read(csv('a,b\n1\n1,2,3\n4,5\n'), 'a')).toEqual([
      [2, 'bad: has 1 cells where the header has 2'],
      [3, 'bad: has 3 cells where the header has 2'],
      [4, '4'],
    ]);
  });

  it('have the same text whatever their line ends and quotes are', async () => {
    const texts = async (source: RowSource) => {
      const all: string[] = [];
      for await (const row of source.rows) all.push(row.text);
      return all;
    };
    expect(await texts(csv('a,b\r\n"1","x"\r\n'))).toEqual(await texts(csv('a,b\n1,x')));
  });

  it.each([
    ['nothing', '', /file\.csv is empty/],
    ['blank lines only', '\n\n', /file\.csv is empty/],
    ['a missing column', 'x,y\n1,2', /no column "a"\. Its columns are: "x", "y"\.$/],
    ['another delimiter', 'a;b\n1;2', /no column "a".*--delimiter/],
    ['a column that is there twice', 'a,b,a\n1,2,3', /2 columns named "a"/],
    ['a quote that is never closed', 'a,b\n1,2\n"3,4\n5,6\n', /line 3 or after: a quote/],
    ['text after a quote', 'a,b\n"1"x,2\n', /line 2 or after: a quote/],
    ['a quote inside a cell', 'a,b\nAnn "Ace" Lee,2\n', /line 2 or after: a quote/],
  ])('cannot be read from %s, which is said', async (_, text, message) => {
    await expect(read(csv(text), 'a')).rejects.toThrow(message);
  });

  it('are none after a header alone', async () => {
    expect(await read(csv('a,b\n'), 'a')).toEqual([]);
  });

  it('may have columns of the same name that nobody asks for', async () => {
    expect(await read(csv('a,x,x\n1,2,3'), 'a')).toEqual([[2, '1']]);
  });

  it('come back from what csvLine wrote, whatever the cells hold', async () => {
    const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', ''));
    const special = fc.constantFrom('"', ',', '\n', '\r\n', ' a ', '', 'x"y', '""');
    const rows = fc.array(fc.tuple(fc.oneof(cell, special), fc.oneof(cell, special)), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(rows, async (all) => {
        const full = all.map(([a, b]) => [`-${a}`, b] as const);
        const text = [['a', 'b'], ...full].map((cells) => `${csvLine(cells)}\n`).join('');
        const back = await read(csv(text), 'a', 'b');
        expect(back.map(([, ...cells]) => cells)).toEqual(full);
      }),
      seeded(runs(100)),
    );
  });
});

describe('rows of a JSON Lines file', () => {
  it('are read by field, numbers and texts alike, with their lines', async () => {
    const text = '{"a":"x","b":1.5}\r\n\n{"b":true}\n[1]\n{"a":\n{"a":{"c":1}}';
    expect(await read(jsonl(text), 'a', 'b')).toEqual([
      [1, 'x', '1.5'],
      [3, '', 'true'],
      [4, 'bad: is not a JSON object', 'bad: is not a JSON object'],
      [5, 'bad: is not a JSON object', 'bad: is not a JSON object'],
      [6, 'bad: "a" is not a text or number', ''],
    ]);
  });

  it('are not cut at U+2028, nor at the end of a piece', async () => {
    const text = '{"a":"x\u2028y"}\n{"a":"z"}';
    for (let i = 0; i <= text.length; i += 1) {
      expect(await read(jsonl(text.slice(0, i), text.slice(i)), 'a')).toEqual([
        [1, 'x\u2028y'],
        [2, 'z'],
      ]);
    }
  });

  it('with numbers that JSON.parse rounds are bad: two ids could have become one', async () => {
    expect(await read(jsonl('{"a":9007199254740993}\n{"a":9007199254740991}'), 'a')).toEqual([
      [1, 'bad: "a" is a number too large to be read exactly; put it in quotes'],
      [2, '9007199254740991'],
    ]);
  });

  it('do not take inherited properties for fields', async () => {
    expect(await read(jsonl('{"a":"x"}'), 'toString')).toEqual([[1, '']]);
  });

  it('cannot be read from one endless line', async () => {
    const endless = pieces(...Array.from({ length: 5 }, () => 'x'.repeat(300_000)));
    await expect(read(jsonlRows(endless, 'file.jsonl'), 'a')).rejects.toThrow(/line of over 1048576 characters/);
  });
});

describe('files', () => {
  const open = (path: string, options = {}) => openRows(path, { columns: ['a'], onBytes: () => undefined, ...options });

  it('may begin with a byte order mark', async () => {
    const path = temporaryFolder().write('file.csv', '\ufeffa,b\n1,2\n');
    expect(await read(open(path), 'a')).toEqual([[2, '1']]);
  });

  it.each([
    ['Latin-1', Buffer.from('a,b\nJosé,2\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffa,b\n1,2\n', 'utf16le')],
    ['UTF-8 that breaks off', Buffer.from('a,b\nJosé', 'utf8').subarray(0, -1)],
  ])('in %s are refused', async (_, bytes) => {
    const path = temporaryFolder().write('file.csv', bytes);
    await expect(read(open(path), 'a')).rejects.toThrow(/not UTF-8 text.*iconv/);
  });

  it('are read as their name says, or as told', async () => {
    const folder = temporaryFolder();
    expect(await read(open(folder.write('f.tsv', 'a\tb\n1\t2')), 'b')).toEqual([[2, '2']]);
    expect(await read(open(folder.write('f.NDJSON', '{"a":1}')), 'a')).toEqual([[1, '1']]);
    expect(await read(open(folder.write('f.txt', 'a;b\n1;2'), { format: 'csv', delimiter: ';' }), 'b')).toEqual([
      [2, '2'],
    ]);
    expect(() => open(folder.write('f.dat', ''))).toThrow(/f\.dat is neither/);
  });

  it('are counted in bytes as they are read', async () => {
    const path = temporaryFolder().write('file.csv', 'a,b\nJosé,2\n');
    let bytes = 0;
    const source = open(path, {
      onBytes: (count: number) => {
        bytes += count;
      },
    });
    await read(source, 'a');
    expect(bytes).toBe(12);
  });

  it('that cannot be read are named', async () => {
    const path = `${temporaryFolder().path}/gone.csv`;
    await expect(read(open(path), 'a')).rejects.toThrow(new RegExp(`${basename(path)} cannot be read: ENOENT`));
  });
});
