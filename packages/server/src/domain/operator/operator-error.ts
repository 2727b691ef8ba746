/** Code of an {@link OperatorError}. */
export type OperatorErrorCode = 'invalid_input' | 'already_exists' | 'not_found';

/** Error of an operator call. The message names the field and how to fix it. */
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

export function alreadyExists(message: string): OperatorError {
  return new OperatorError('already_exists', message);
}

export function notFound(entity: string, id: string): OperatorError {
  return new OperatorError('not_found', `There is no ${entity} with the id ${id}.`);
}
