/** An invalid option and its fix. */
export interface OptionProblem {
  /** Path of the option in the call, for example `session.rollingSeconds`. */
  option: string;
  /** The error and how to fix it. Never contains a secret. */
  message: string;
}

/** Thrown for invalid options. Lists every invalid option of the call. */
export class LatchkeyOptionsError extends Error {
  override readonly name = 'LatchkeyOptionsError';
  readonly problems: readonly OptionProblem[];
  /** Entry of the documentation. Node.js prints it with an uncaught error. */
  readonly docs = 'docs/troubleshooting.md#invalid_options';

  constructor(problems: readonly OptionProblem[]) {
    super(problems.map(({ option, message }) => `${option}: ${message}`).join('\n'));
    this.problems = problems;
  }
}
