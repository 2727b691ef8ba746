import { issueText } from '@latchkey/server/extension';
import type * as z from 'zod';
import { ControlFailure } from './control-failure.js';

/** How many wrong fields a failure lists. */
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
