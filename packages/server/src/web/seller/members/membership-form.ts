import { emailField } from '@latchkey/contract';
import { isWindow } from '../../../domain/drops/drop-slot-rules.js';
import type { AccessWindow } from '../../../domain/memberships/membership-change.js';
import { FaultList, type FormReading, readingOf } from '../../ui/form-reading.js';
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
): FormReading<{ email: string; window: AccessWindow }> {
  const list = new FaultList();
  const email = readEmail(list, fields.email);
  const validFrom = list.takeInstant('startsAt', fields.startsAt, now);
  const validUntil = list.takeInstant('endsAt', fields.endsAt, null);
  if (!isWindow(validFrom, validUntil)) {
    list.faults.push({ field: 'endsAt', message: 'Enter an end that is after the start.' });
  } else if (validUntil !== null && validUntil <= now) {
    list.faults.push({ field: 'endsAt', message: 'Enter an end that lies ahead.' });
  }
  return readingOf({ email, window: { validFrom, validUntil } }, list.faults);
}

/** Reads an e-mail address; a fault when it is none. */
export function readEmail(list: FaultList, text: string): string {
  const message = 'Enter an e-mail address such as name@example.com.';
  return list.take(emailField.safeParse(text).data, '', { field: 'email', message });
}

/** The fields of another end, as they were typed. */
export interface EndFields {
  endsAt: string;
  forLife: boolean;
}

/** Reads another end: an instant, or `null` for life. An end that was emptied by mistake is not for life. */
export function readEnd(fields: EndFields): FormReading<number | null> {
  const list = new FaultList();
  const validUntil = list.takeInstant('endsAt', fields.endsAt, null);
  if (list.faults.length === 0 && fields.forLife === (validUntil !== null)) {
    const message = fields.forLife
      ? 'Either enter an end or choose for life: not both.'
      : 'Enter an end, or choose for life.';
    list.faults.push({ field: 'endsAt', message });
  }
  return readingOf(validUntil, list.faults);
}
