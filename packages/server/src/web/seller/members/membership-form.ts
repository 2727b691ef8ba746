import { emailField } from '@latchkey/contract';
import { END_BEFORE_START, endsAfterStart } from '../../../domain/fields/instant.js';
import type { AccessWindow } from '../../../domain/memberships/membership-grant.js';
import { FormErrors, type FormResult, formResult } from '../../ui/form-errors.js';
import type { GrantFields } from './seller-members-page.js';

/** What the fields of a grant show at first. */
export const EMPTY_GRANT: GrantFields = { email: '', startsAt: '', endsAt: '' };

/** The fields as they were typed. */
export function typedGrant(form: URLSearchParams): GrantFields {
  return {
    email: form.get('email') ?? '',
    startsAt: form.get('startsAt') ?? '',
    endsAt: form.get('endsAt') ?? '',
  };
}

/** Reads the fields of a grant. Without a start it begins now, without an end it is for life. */
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
    list.errors.push({ field: 'endsAt', message: 'Enter an end that lies ahead.' });
  }
  return formResult({ email, window: { validFrom, validUntil } }, list.errors);
}

/** Reads an e-mail address; an error when it is none. */
export function readEmail(list: FormErrors, text: string): string {
  const message = 'Enter an e-mail address such as name@example.com.';
  return list.take(emailField.safeParse(text).data, '', { field: 'email', message });
}

/** The fields of another end, as they were typed. */
export interface EndFields {
  endsAt: string;
  forLife: boolean;
}

/** Reads another end: an instant, or `null` for life. An end that was emptied by mistake is not for life. */
export function readEnd(fields: EndFields): FormResult<number | null> {
  const list = new FormErrors();
  const validUntil = list.takeInstant('endsAt', fields.endsAt, null);
  if (list.errors.length === 0 && fields.forLife === (validUntil !== null)) {
    const message = fields.forLife
      ? 'Either enter an end or choose for life: not both.'
      : 'Enter an end, or choose for life.';
    list.errors.push({ field: 'endsAt', message });
  }
  return formResult(validUntil, list.errors);
}
