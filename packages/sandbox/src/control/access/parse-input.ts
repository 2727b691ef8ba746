import type * as z from 'zod';
import { ControlFailure } from './control-failure.js';

/** Maximum number of wrong fields that a failure names. */
const NAMED_FIELDS = 20;

/**
 * Parses the input of a call.
 *
 * @param whole name of the input in messages that concern no single field.
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

/** Texts for zod's issues that have no message of their own. */
const issueText: z.core.$ZodErrorMap = (issue) => {
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
