const waiting: (() => void)[] = [];

/**
 * Runs something when the process has nothing else to do (a macrotask). What several requests wait for at one moment
 * runs in one turn, so that what they then ask of the store goes there together.
 */
export function atMomentsEnd(run: () => void): void {
  if (waiting.push(run) > 1) return;
  setImmediate(() => {
    for (const one of waiting.splice(0)) one();
  });
}
