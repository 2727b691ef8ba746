import type { z } from 'zod';
import { invalidInput } from './operator-error.js';

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
