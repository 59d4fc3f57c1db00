interface Asked<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects what is asked until nothing else is left to do, then answers all of it at once: code that asks one thing
 * after another still costs one round trip for each step, however many run side by side.
 */
export function batch<Q, A>(answer: (questions: readonly Q[]) => Promise<readonly A[]>): (question: Q) => Promise<A> {
  let waiting: Asked<Q, A>[] = [];
  const flush = async () => {
    const asked = waiting;
    waiting = [];
    try {
      const answers = await answer(asked.map(({ question }) => question));
      for (const [i, { resolve }] of asked.entries()) resolve(answers[i] as A);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  };
  return (question) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ question, resolve, reject }) === 1) setImmediate(flush);
    });
}
