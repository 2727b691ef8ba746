import { emailField } from '../../../domain/fields/identifiers.js';
import { type AccessWindow, accessWindowSchema } from '../../../domain/memberships/membership-grant.js';
import { type FormResult, instantOf, parseForm, UnreadableText } from '../../ui/parts/form.js';
import type { GrantFields } from './seller-members-page.js';

/** Initial values of the form of a grant. */
export const EMPTY_GRANT: GrantFields = { email: '', startsAt: '', endsAt: '' };

/** Returns the raw values of the form. */
export function typedGrant(form: URLSearchParams): GrantFields {
  return {
    email: form.get('email') ?? '',
    startsAt: form.get('startsAt') ?? '',
    endsAt: form.get('endsAt') ?? '',
  };
}

/** Validates the form of a grant. An empty start means now, an empty end means lifetime. */
export function readGrant(
  { email, startsAt, endsAt }: GrantFields,
  now: number,
): FormResult<AccessWindow & { email: string }> {
  const schema = accessWindowSchema
    .safeExtend({ email: emailField })
    .refine(({ validUntil }) => validUntil === null || validUntil > now, {
      path: ['validUntil'],
      error: 'Enter an end in the future.',
    });
  const values = { email, validFrom: instantOf(startsAt, now), validUntil: instantOf(endsAt, null) };
  return parseForm(schema, values, { validFrom: 'startsAt', validUntil: 'endsAt' });
}

/** Raw values of the form of a new end. */
export interface EndFields {
  endsAt: string;
  forLife: boolean;
}

/** Validates a new end: an instant, or `null` for lifetime. An empty field alone does not mean lifetime. */
export function readEnd(fields: EndFields): FormResult<number | null> {
  const end = instantOf(fields.endsAt, null);
  if (end instanceof UnreadableText) return invalidEnd(end.message);
  if (fields.forLife && end !== null) return invalidEnd('Enter an end or choose lifetime, not both.');
  if (!fields.forLife && end === null) return invalidEnd('Enter an end, or choose lifetime.');
  return { kind: 'valid', value: end };
}

function invalidEnd(message: string): FormResult<never> {
  return { kind: 'invalid', errors: [{ field: 'endsAt', message }] };
}
