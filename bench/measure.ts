/** Milliseconds of each of `count` calls, one after another, sorted; the first tenth is warm-up and left out. */
export async function timeEach(count: number, call: (i: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count * 1.1; i += 1) {
    const began = performance.now();
    await call(i);
    times.push(performance.now() - began);
  }
  return times.slice(Math.floor(count * 0.1)).sort((a, b) => a - b);
}

export const percentile = (sorted: readonly number[], percent: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;

/**
 * p50 of several calls, measured in turns so that the machine's moods strike all alike: in each round every call gets
 * a slice of its runs. Milliseconds.
 */
export async function compare<Name extends string>(
  calls: Record<Name, (i: number) => Promise<unknown>>,
  runs = 2_000,
  rounds = 10,
): Promise<Record<Name, number>> {
  const names = Object.keys(calls) as Name[];
  const all = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) all.get(name)?.push(...(await timeEach(runs / rounds, calls[name])));
  }
  const p50 = ([name, times]: [Name, number[]]) => [
    name,
    percentile(
      times.sort((a, b) => a - b),
      50,
    ),
  ];
  return Object.fromEntries([...all].map(p50)) as Record<Name, number>;
}

/** Calls a second with so many under way at a time. */
export async function throughput(
  clients: number,
  total: number,
  call: (i: number) => Promise<unknown>,
): Promise<number> {
  let next = 0;
  const began = performance.now();
  const client = async () => {
    while (next < total) await call(next++);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return total / ((performance.now() - began) / 1000);
}

/** One line of a result table: what, measured, goal, and whether it was met. */
export function row(what: string, value: number, goal: number, met: 'at most' | 'at least', unit = ''): string {
  const ok = met === 'at most' ? value <= goal : value >= goal;
  return `| ${what} | ${value.toFixed(2)}${unit} | ${met} ${goal}${unit} | ${ok ? 'yes' : 'no'} |`;
}

export const tableHead = '| what | measured | goal | met |\n|---|---|---|---|';

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
