import { emailField } from '../../../domain/fields/fields.js';
import { type AccessWindow, accessWindowSchema } from '../../../domain/memberships/membership-grant.js';
import { dateFieldOf, type FormResult, parseForm, UnreadableText } from '../../ui/parts/form.js';
import type { GrantFields } from './new-member-page.js';

/** Initial values of the form of an invitation. */
export const EMPTY_GRANT: GrantFields = { email: '', startsAt: null, endsAt: null };

/** Returns the values of the form, to show them again. */
export function typedGrant(form: URLSearchParams): GrantFields {
  return {
    email: form.get('email') ?? '',
    startsAt: readableOf(dateFieldOf(form, 'startsAt', null)),
    endsAt: readableOf(dateFieldOf(form, 'endsAt', null)),
  };
}

/** Validates the form of an invitation. A blank start means now, a blank end means lifetime. */
export function readGrant(form: URLSearchParams, now: number): FormResult<AccessWindow & { email: string }> {
  const schema = accessWindowSchema
    .safeExtend({ email: emailField })
    .refine(({ validUntil }) => validUntil === null || validUntil > now, {
      path: ['validUntil'],
      error: 'Enter an end in the future.',
    });
  const values = {
    email: form.get('email') ?? '',
    validFrom: dateFieldOf(form, 'startsAt', now),
    validUntil: dateFieldOf(form, 'endsAt', null),
  };
  return parseForm(schema, values, { validFrom: 'startsAt', validUntil: 'endsAt' });
}

/** Values of the form of a new end. */
export interface EndFields {
  /** Milliseconds since the epoch; null for a blank field. */
  endsAt: number | null;
  forLife: boolean;
}

/** Returns the values of the form, to show them again. */
export function typedEnd(form: URLSearchParams): EndFields {
  return {
    endsAt: readableOf(dateFieldOf(form, 'endsAt', null)),
    forLife: form.get('forLife') === 'on',
  };
}

/** Validates a new end: an instant, or `null` for lifetime. A blank field alone does not mean lifetime. */
export function readEnd(form: URLSearchParams): FormResult<number | null> {
  const end = dateFieldOf(form, 'endsAt', null);
  const isForLife = form.get('forLife') === 'on';
  if (end instanceof UnreadableText) return invalidEnd(end.message);
  if (isForLife && end !== null) return invalidEnd('Enter an end or choose lifetime, not both.');
  if (!isForLife && end === null) return invalidEnd('Enter an end, or choose lifetime.');
  return { kind: 'valid', value: end };
}

function invalidEnd(message: string): FormResult<never> {
  return { kind: 'invalid', errors: [{ field: 'endsAt', message }] };
}

function readableOf(instant: number | null | UnreadableText): number | null {
  return instant instanceof UnreadableText ? null : instant;
}
