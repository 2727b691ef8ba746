import type * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { imitates } from './imitation.js';

/**
 * Fields of records that strangers read as a name, on shop pages, at sign-in, in mails and in URLs, with their error
 * messages.
 */
const PUBLIC_FIELDS = {
  name: phrase('Enter a name that does not contain “{service}”, the name of this service.'),
  slug: phrase('Enter a slug that does not contain “{service}”, the name of this service.'),
  benefits: phrase('Enter a benefit that does not contain “{service}”, the name of this service.'),
} as const;

type Named = { readonly [Field in keyof typeof PUBLIC_FIELDS]?: unknown };

/**
 * Adds a rule: only the operator may give something a name that looks like the service's.
 *
 * @param stored the record before a change. A name that it already has may stay.
 */
export function publicNames<Schema extends z.ZodType<Named>>(
  schema: Schema,
  serviceName: string,
  stored: Named = {},
): Schema {
  const fields = Object.entries(PUBLIC_FIELDS) as [keyof Named, string][];
  return fields.reduce(
    (ruled, [field, error]) =>
      ruled.refine(
        (value) => !isImitation(value[field], serviceName) || isSame(value[field], stored[field]),
        {
          path: [field],
          error: t(error, { service: serviceName }),
          // Reported together with the errors of other fields.
          when: ({ value }) => typeof value === 'object' && value !== null,
        },
      ),
    schema,
  );
}

function isImitation(value: unknown, serviceName: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => isImitation(entry, serviceName));
  // A slug has hyphens in place of spaces.
  return typeof value === 'string' && imitates(value.replaceAll('-', ' '), serviceName);
}

function isSame(value: unknown, stored: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(stored);
}
