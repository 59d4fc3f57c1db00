const given = Number(process.env.LAUREL_SEED);

/** What random tests draw from: LAUREL_SEED, or another one each time. A failure shows it as `seed`. */
const seed: number = Number.isInteger(given) ? given : Math.floor(Math.random() * 2 ** 31);

/** LAUREL_RUNS, or how many runs are usual. */
export const runs = (usual: number): number => Number(process.env.LAUREL_RUNS) || usual;

/** Parameters for `fc.assert`. */
export const seeded = (numRuns: number) => ({ seed, numRuns });
