import type * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { phrase } from '../../platform/language/language.js';
import { findCommunity } from '../communities/communities.js';
import { productExists } from '../products/product.queries.js';
import { findUser } from '../users/users.js';

/** Code of an {@link OperatorError}. */
export type OperatorErrorCode =
  | 'invalid_input'
  | 'already_exists'
  | 'not_found'
  /** The call doesn't fit the current data. The message lists what to do first. */
  | 'conflict'
  /** The service has no such operation for any record of the kind. */
  | 'not_supported';

/** Messages by field of the input, such as `redirectUris.0`. No message contains a value. */
export type FieldMessages = Readonly<Record<string, string>>;

/** Error of an operator call. The message says which field is wrong and how to fix it. */
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

/** @throws OperatorError `already_exists` unless the record is new. */
export function created(isNew: boolean, entity: string, id: string) {
  if (isNew) return { id };
  throw alreadyExists(`Another ${entity} has the id ${id}. Use a different one.`);
}

/** @param field field of the input that doesn't fit the current data, if it's a single one. */
export function conflict(message: string, field?: string): OperatorError {
  return new OperatorError('conflict', message, field === undefined ? {} : { [field]: message });
}

/** @param field field of the input that contains the id, if there is one. */
export function notFound(entity: string, id: string, field?: string): OperatorError {
  const fields = field === undefined ? {} : { [field]: `There is no ${entity} with this id.` };
  return new OperatorError('not_found', `There is no ${entity} with the id ${id}.`, fields);
}

/** Returns the error for an input with fields that don't fit together, or that refer to a record that doesn't fit. */
export function wrong(field: string, message: string): OperatorError {
  return invalidInput(`${field}: ${message}`, { [field]: message });
}

/** Fields with values that messages must not repeat. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['clientSecret', 'secret', 'key', 'url']);

const SHOWN_LENGTH = 80;

/** @throws OperatorError `invalid_input`. It lists every invalid field with its value, unless the value is secret. */
export function parseInput<Output, Input>(schema: z.ZodType<Output, Input>, input: Input): Output {
  const parsed = schema.safeParse(input, { error: issueText });
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) if (path.length > 0) fields[path.join('.')] ??= message;
  throw invalidInput(issues.map((issue) => describe(issue, input)).join(' '), fields);
}

function describe({ code, path, message }: z.core.$ZodIssue, input: unknown): string {
  const [field, index] = path;
  if (field === undefined) return code === 'unrecognized_keys' ? `The record ${message}.` : message;
  const name = index === undefined ? String(field) : `${String(field)}[${String(index)}]`;
  const value = path.reduce<unknown>(
    (part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  );
  if (value === undefined || SECRET_FIELDS.has(String(field))) return `${name}: ${message}`;
  return `${name}: ${message} Received ${shown(value)}.`;
}

function shown(value: unknown): string {
  // JSON has no infinity and no NaN.
  const text = typeof value === 'number' ? `${value}` : (JSON.stringify(value) ?? typeof value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

/** Messages for zod's issues that have no message themselves. */
export const issueText: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${DISJUNCTION.format(issue.values.map(String))}`;
    case 'unrecognized_keys':
      return `has an unknown field: ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return FORMATS[issue.format];
    default:
      return undefined;
  }
};

const DISJUNCTION = new Intl.ListFormat('en', { type: 'disjunction' });

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  url: 'must be a URL',
  datetime: 'must be a time in ISO-8601 such as 2026-11-26T12:00:00Z',
};

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters' : origin === 'array' ? ' entries' : '';
}

/** These functions throw an OperatorError `not_found` with the field if there is no such row. */
export async function requireUser(db: Database, id: string, field = 'userId'): Promise<void> {
  if ((await findUser(db, id)) !== undefined) return;
  const message = phrase('There is no user with this id.');
  throw new OperatorError('not_found', `There is no user with the id ${id}.`, { [field]: message });
}

export async function requireCommunity(db: Database, id: string, field = 'communityId'): Promise<void> {
  if ((await findCommunity(db, id)) === undefined) throw notFound('community', id, field);
}

export async function requireProduct(db: Database, id: string, field = 'productId'): Promise<void> {
  if (!(await productExists(db, id))) throw notFound('product', id, field);
}
