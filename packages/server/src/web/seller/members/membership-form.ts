import { emailField } from '@latchkey/contract';
import { END_BEFORE_START, endsAfterStart } from '../../../domain/fields/instant.js';
import type { AccessWindow } from '../../../domain/memberships/membership-grant.js';
import { FormErrors, type FormResult, formResult } from '../../ui/form-errors.js';
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
  fields: GrantFields,
  now: number,
): FormResult<{ email: string; window: AccessWindow }> {
  const list = new FormErrors();
  const email = readEmail(list, fields.email);
  const validFrom = list.takeInstant('startsAt', fields.startsAt, now);
  const validUntil = list.takeInstant('endsAt', fields.endsAt, null);
  if (!endsAfterStart(validFrom, validUntil)) {
    list.errors.push({ field: 'endsAt', message: END_BEFORE_START });
  } else if (validUntil !== null && validUntil <= now) {
    list.errors.push({ field: 'endsAt', message: 'Enter an end in the future.' });
  }
  return formResult({ email, window: { validFrom, validUntil } }, list.errors);
}

/** Validates an e-mail address. */
export function readEmail(list: FormErrors, text: string): string {
  const message = 'Enter an e-mail address such as name@example.com.';
  return list.take(emailField.safeParse(text).data, '', { field: 'email', message });
}

/** Raw values of the form of a new end. */
export interface EndFields {
  endsAt: string;
  forLife: boolean;
}

/** Validates a new end: an instant, or `null` for lifetime. An empty field alone does not mean lifetime. */
export function readEnd(fields: EndFields): FormResult<number | null> {
  const list = new FormErrors();
  const validUntil = list.takeInstant('endsAt', fields.endsAt, null);
  if (list.errors.length === 0 && fields.forLife === (validUntil !== null)) {
    const message = fields.forLife
      ? 'Enter an end or choose lifetime, not both.'
      : 'Enter an end, or choose lifetime.';
    list.errors.push({ field: 'endsAt', message });
  }
  return formResult(validUntil, list.errors);
}
