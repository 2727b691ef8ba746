import { issueText } from '@latchkey/server/extension';
import type * as z from 'zod';

/** Status by the code of a failed call to the control API. */
const STATUS = {
  conflict: 409,
  foreign_origin: 403,
  internal_error: 500,
  invalid_input: 400,
  method_not_allowed: 405,
  not_found: 404,
  too_large: 413,
  unauthorized: 401,
  unsupported_media_type: 415,
} as const;

/** An error of the control API, for calls in process and over HTTP. */
export class ControlFailure extends Error {
  readonly code: keyof typeof STATUS;
  /** HTTP status of the response. */
  readonly status: number;
  /** Messages by field of the request. Empty if no single field is wrong. */
  readonly fields: Readonly<Record<string, string>>;

  /** @param message tells the caller what is wrong; must not contain secrets. */
  constructor(code: keyof typeof STATUS, message: string, fields: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'ControlFailure';
    this.code = code;
    this.status = STATUS[code];
    this.fields = fields;
  }
}

/** The failure of a call with the id of something that doesn't exist. */
export function unknown(entity: string, id: string): ControlFailure {
  return new ControlFailure('not_found', `There is no ${entity} with the id ${JSON.stringify(id)}.`);
}

/** The failure of input with fields that don't fit together, or with the id of something that doesn't fit. */
export function invalid(field: string, message: string): ControlFailure {
  return new ControlFailure('invalid_input', `${field}: ${message}`, { [field]: message });
}

const NAMED_FIELDS = 20;

/**
 * Parses the input of a call.
 *
 * @param whole what messages call the input if they aren't about a single field.
 * @throws ControlFailure `invalid_input` with a message for each wrong field. No message contains a value.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  whole: 'body' | 'query' = 'body',
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: issueText });
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues.slice(0, NAMED_FIELDS))
    fields[path.join('.') || whole] ??= /[.!?]$/.test(message) ? message : `${message}.`;
  const summary = Object.entries(fields).map(([field, message]) => `${field}: ${message}`);
  throw new ControlFailure('invalid_input', summary.join(' '), fields);
}
