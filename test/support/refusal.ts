import { LaurelError } from '../../src/core/errors.ts';

/** The code that an action is refused with. What fails otherwise, or not at all, fails the test. */
export async function refusalOf(action: () => unknown): Promise<LaurelError['code']> {
  try {
    await action();
  } catch (error) {
    if (error instanceof LaurelError) return error.code;
    throw error;
  }
  throw new Error(`Not refused: ${action}`);
}
