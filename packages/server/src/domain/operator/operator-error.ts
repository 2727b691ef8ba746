/** Why an operator's call was refused. */
export type OperatorErrorCode = 'invalid_input' | 'already_exists' | 'not_found';

/** A refused call of the {@link Operator}. The message names the field and what to change. */
export class OperatorError extends Error {
  readonly code: OperatorErrorCode;
  constructor(code: OperatorErrorCode, message: string) {
    super(message);
    this.name = 'OperatorError';
    this.code = code;
  }
}

export function invalidInput(message: string): OperatorError {
  return new OperatorError('invalid_input', message);
}

export function notFound(what: string, id: string): OperatorError {
  return new OperatorError('not_found', `There is no ${what} with the id ${id}.`);
}
