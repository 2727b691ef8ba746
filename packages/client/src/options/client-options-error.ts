/** One option that cannot work, and what to change. */
export interface ClientOptionProblem {
  /** The option as it is written in the call, for example `serviceUrl`. */
  readonly option: string;
  /** What is wrong and how to mend it. Never repeats the API key. */
  readonly message: string;
}

const BRAND = Symbol.for('@latchkey/client.ClientOptionsError');

/** Thrown by `new LatchkeyClient()`; lists every problem at once. */
export class ClientOptionsError extends Error {
  override readonly name = 'ClientOptionsError';
  readonly problems: readonly ClientOptionProblem[];

  constructor(problems: readonly ClientOptionProblem[]) {
    super(problems.map(({ option, message }) => `${option}: ${message}`).join('\n'));
    this.problems = problems;
  }

  get [BRAND](): true {
    return true;
  }
}

/** Tells a {@link ClientOptionsError} from other errors, also when another copy of this package threw it. */
export function isClientOptionsError(value: unknown): value is ClientOptionsError {
  return typeof value === 'object' && value !== null && BRAND in value;
}
