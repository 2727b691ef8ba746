import type * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { imitates } from './imitation.js';

/** Fields of every record that strangers read as a name: on pages of shops, at sign-in, in mails and in addresses. With their errors. */
const PUBLIC_FIELDS = {
  name: phrase('Enter a name that does not contain “{service}”, the name of this service.'),
  slug: phrase('Enter a slug that does not contain “{service}”, the name of this service.'),
  benefits: phrase('Enter a benefit that does not contain “{service}”, the name of this service.'),
} as const;

type Named = { readonly [Field in keyof typeof PUBLIC_FIELDS]?: unknown };

/**
 * Adds the rule that nobody but the operator names a thing like the service.
 *
 * @param stored The record before a change: what the operator has called it may stay.
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
          // Reported beside the errors of other fields.
          when: ({ value }) => typeof value === 'object' && value !== null,
        },
      ),
    schema,
  );
}

function isImitation(value: unknown, serviceName: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => isImitation(entry, serviceName));
  // The hyphens of a slug are its spaces.
  return typeof value === 'string' && imitates(value.replaceAll('-', ' '), serviceName);
}

function isSame(value: unknown, stored: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(stored);
}
