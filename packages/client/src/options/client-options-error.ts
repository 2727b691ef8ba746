export interface ClientOptionProblem {
  /** Name of the option, for example `serviceUrl`. */
  readonly option: string;
  /** Description of the problem and its fix. Never contains the API key. */
  readonly message: string;
}

const BRAND = Symbol.for('@latchkey/client.ClientOptionsError');

/** Error of `new LatchkeyClient()`. It lists every invalid option. */
export class ClientOptionsError extends Error {
  override readonly name = 'ClientOptionsError';
  readonly problems: readonly ClientOptionProblem[];
  /** Entry of the documentation. Node.js prints it with an uncaught error. */
  readonly docs = 'docs/troubleshooting.md#invalid_options';

  constructor(problems: readonly ClientOptionProblem[]) {
    super(problems.map(({ option, message }) => `${option}: ${message}`).join('\n'));
    this.problems = problems;
  }

  get [BRAND](): true {
    return true;
  }
}

/** True if the value is a {@link ClientOptionsError}, also if another copy of this package threw it. */
export function isClientOptionsError(value: unknown): value is ClientOptionsError {
  return typeof value === 'object' && value !== null && BRAND in value;
}
