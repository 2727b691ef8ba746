/** Code of an {@link OperatorError}. */
export type OperatorErrorCode =
  | 'invalid_input'
  | 'already_exists'
  | 'not_found'
  /** The call does not fit the current data. The message lists what to do first. */
  | 'conflict';

/** Messages by field of the input, such as `redirectUris.0`. No message contains a value. */
export type FieldMessages = Readonly<Record<string, string>>;

/** Error of an operator call. The message names the field and how to fix it. */
export class OperatorError extends Error {
  readonly code: OperatorErrorCode;
  /** Empty if no single field is wrong. */
  readonly fields: FieldMessages;

  constructor(code: OperatorErrorCode, message: string, fields: FieldMessages = {}) {
    super(message);
    this.name = 'OperatorError';
    this.code = code;
    this.fields = fields;
  }
}

export function invalidInput(message: string, fields?: FieldMessages): OperatorError {
  return new OperatorError('invalid_input', message, fields);
}

export function alreadyExists(message: string, fields?: FieldMessages): OperatorError {
  return new OperatorError('already_exists', message, fields);
}

/** @param field field of the input that contains the id, if one does. */
export function notFound(entity: string, id: string, field?: string): OperatorError {
  const fields = field === undefined ? {} : { [field]: `There is no ${entity} with this id.` };
  return new OperatorError('not_found', `There is no ${entity} with the id ${id}.`, fields);
}
