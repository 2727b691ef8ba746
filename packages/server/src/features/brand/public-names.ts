import type * as z from 'zod';
import { imitates } from './imitation.js';

/** Fields of every record that strangers read as a name: on pages of shops, at sign-in, in mails and in addresses. */
const PUBLIC_FIELDS = ['name', 'slug', 'benefits'] as const;

type Named = { readonly [Field in (typeof PUBLIC_FIELDS)[number]]?: unknown };

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
  return PUBLIC_FIELDS.reduce(
    (ruled, field) =>
      ruled.refine(
        (value) => !isImitation(value[field], serviceName) || isSame(value[field], stored[field]),
        {
          path: [field],
          error: `Enter a ${field === 'benefits' ? 'benefit' : field} that does not contain “${serviceName}”, the name of this service.`,
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
