/** What became of the rows of one import. */
export class Tally {
  read = 0;
  filtered = 0;
  bad = 0;
  applied = 0;
  unchanged = 0;
  /** Of this import's blocks, those that an import before had sent. */
  already = 0;
  /** Rows that changed nothing and that some period refused. */
  skipped = 0;
  readonly #skips = new Map<string, { period: string; code: string; rows: number }>();

  skip(period: string, code: string): void {
    const slot = `${period} ${code}`;
    const entry = this.#skips.get(slot) ?? { period, code, rows: 0 };
    entry.rows += 1;
    this.#skips.set(slot, entry);
  }

  /** Whether any period refused a row because it has ended. */
  get metClosed(): boolean {
    return [...this.#skips.values()].some(({ code }) => code === 'PERIOD_CLOSED');
  }

  /** Periods that refused rows which may have counted in others, those with the most rows first. */
  skips(): { period: string; code: string; rows: number }[] {
    return [...this.#skips.values()].sort((a, b) => b.rows - a.rows);
  }

  /** Rows that were taken in or found in, now or before. */
  get settled(): number {
    return this.applied + this.unchanged + this.already + this.skipped;
  }
}
