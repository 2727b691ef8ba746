import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { Database } from '../../platform/database/open-database.js';
import { productExists } from '../catalogue/products.js';
import { findCommunity } from '../communities/communities.js';
import { idField } from '../fields/fields.js';
import { findUser } from '../users/users.js';

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

/** Id that the caller chooses, or a new UUID. */
export const newIdField = idField.default(() => randomUUID());

/** Fields whose values no message repeats. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(['clientSecret', 'secret', 'key', 'url']);

/** Maximum length of a value in a message, in characters. */
const SHOWN_LENGTH = 80;

/**
 * Parses the input of an operator call.
 *
 * @throws OperatorError `invalid_input`. The message lists every invalid field with its value, unless it is secret.
 */
export function parseInput<Output, Input>(schema: z.ZodType<Output, Input>, input: Input): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const fields: Record<string, string> = {};
  for (const { path, message } of issues) if (path.length > 0) fields[path.join('.')] ??= message;
  throw invalidInput(issues.map((issue) => describe(issue, input)).join(' '), fields);
}

function describe({ path, message }: z.core.$ZodIssue, input: unknown): string {
  const [field, index] = path;
  if (field === undefined) return message;
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

/** These throw an OperatorError `not_found` that names the field, if there is no such row. */
export async function requireUser(db: Database, id: string, field = 'userId'): Promise<void> {
  if ((await findUser(db, id)) === undefined) throw notFound('user', id, field);
}

export async function requireCommunity(db: Database, id: string, field = 'communityId'): Promise<void> {
  if ((await findCommunity(db, id)) === undefined) throw notFound('community', id, field);
}

export async function requireProduct(db: Database, id: string, field = 'productId'): Promise<void> {
  if (!(await productExists(db, id))) throw notFound('product', id, field);
}
