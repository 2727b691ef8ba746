/** One option that cannot work, and what to change. */
export interface OptionProblem {
  /** The option as written in the call, for example `session.rollingSeconds`. */
  option: string;
  /** What is wrong and how to fix it. Never repeats a secret. */
  message: string;
}

/** Thrown by `latchkey()` and by gates when they are set up wrongly; lists every problem at once. */
export class LatchkeyOptionsError extends Error {
  override readonly name = 'LatchkeyOptionsError';
  readonly problems: readonly OptionProblem[];

  constructor(problems: readonly OptionProblem[]) {
    super(problems.map(({ option, message }) => `${option}: ${message}`).join('\n'));
    this.problems = problems;
  }
}
