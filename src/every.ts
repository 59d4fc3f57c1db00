/** Runs a task now and then again so long after it ended, until stopped. A failure is told and does not end it. */
export function every(pauseMs: number, task: () => Promise<void>, failed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = Promise.resolve();
  const run = () => {
    running = task()
      .catch(failed)
      .then(() => {
        if (!stopped) timer = setTimeout(run, pauseMs);
      });
  };
  run();
  return {
    /** Resolves when the run under way has ended. */
    stop: async (): Promise<void> => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
