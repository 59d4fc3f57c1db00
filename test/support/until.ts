import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 10;

type Falsy = null | undefined | false | '' | 0;

/** Resolves with the first truthy value of `condition`; throws, showing the condition, after `timeoutMs` without one. */
export async function until<T>(condition: () => T | Promise<T>, timeoutMs = 5000): Promise<Exclude<T, Falsy>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value) return value as Exclude<T, Falsy>;
    if (performance.now() > deadline) throw new Error(`Not within ${timeoutMs} ms: ${condition}`);
    await pause(pollMs);
  }
}
