/** Failed call to a sandbox. The message contains no secret. It may contain text of the sandbox. */
export class ControlFailure extends Error {
  /** Code of the control API, or `unreachable`, `not_a_sandbox` or `wrong_host`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ControlFailure';
    this.code = code;
  }
}

/** True if the sandbox did not answer. A caller that follows events tries again. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ControlFailure && error.code === 'unreachable';
}
