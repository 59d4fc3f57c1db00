/** A failure that the person at the command line can do something about: the message says what. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failure) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What a caller's script can tell apart. */
export const exitCodes = {
  ok: 0,
  /** Everything ran, but some rows of a file could not be used. */
  badRows: 1,
  /** Wrong usage, or a failure that stopped the command. */
  failure: 2,
  /** Ctrl-C, as shells count it. */
  interrupted: 130,
} as const;

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
