import * as z from 'zod';
import {
  EMAIL_MAX_LENGTH,
  EXTERNAL_ID_MAX_LENGTH,
  INTEGER_MAX,
  MESSENGER_USER_ID_MIN,
  URL_MAX_LENGTH,
} from './limits.js';
import { parseTimestamp } from './timestamp.js';

// One '@', at least two labels after it; the local part takes what RFC 5322 calls dot-atom characters.
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** A UUID in any case, given on in lower case. */
export const uuidField = z
  .string()
  .regex(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID')
  .toLowerCase()
  // The published pattern cannot ignore case by itself.
  .meta({ format: 'uuid', pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' });

/**
 * Text that every database can keep as it came: PostgreSQL takes no NUL, and a lone surrogate has no UTF-8 form, so
 * that two different texts could be stored as one.
 */
const storableText = z
  .string()
  .refine((text) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text), 'must be text without NUL');

/** An identifier that the caller chose: 1 to 255 characters, compared as it is. */
export const externalIdField = storableText
  .min(1, 'must not be empty')
  .max(EXTERNAL_ID_MAX_LENGTH, `must have at most ${EXTERNAL_ID_MAX_LENGTH} characters`);

/** Optional text of the caller, with a limit in characters. */
export function limitedTextField(maxLength: number) {
  return storableText.max(maxLength, `must have at most ${maxLength} characters`);
}

/**
 * An e-mail address of at most 254 characters, given on trimmed and in lower case. Checked before it is lower-cased:
 * some characters outside ASCII have an ASCII lower case, and would turn into somebody else's address.
 */
export const emailField = z
  .string()
  .trim()
  .max(EMAIL_MAX_LENGTH, `must have at most ${EMAIL_MAX_LENGTH} characters`)
  .regex(EMAIL, 'must be an e-mail address')
  .toLowerCase()
  // Blanks around it are trimmed and case is ignored, which the pattern would deny.
  .meta({ format: 'email', pattern: undefined });

/**
 * An absolute http or https URL of at most 2048 characters. Printable ASCII, as RFC 3986 has it: what else there could
 * be has no place in a Location header, and some of it none in a database.
 */
export const webUrlField = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  .regex(/^[\x21-\x7e]+$/, 'must be an http or https URL, percent-encoded where it is not ASCII')
  .max(URL_MAX_LENGTH, `must have at most ${URL_MAX_LENGTH} characters`);

/** An ISO-8601 date or date-time, given on as milliseconds since the epoch. See {@link parseTimestamp}. */
export const timestampField = z.string().transform((text, context) => {
  const ms = parseTimestamp(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: 'must be an ISO-8601 date or date-time', input: text });
  return z.NEVER;
});

/** A messenger user id in a JSON body: a number, never a numeric string; 1 to 2^53-1. */
export const messengerUserIdField = z
  .int({ error: 'must be an integer' })
  .min(MESSENGER_USER_ID_MIN, `must be at least ${MESSENGER_USER_ID_MIN}`);

/** A messenger user id in a path: plain digits without sign or leading zero, 1 to 2^53-1; given on as a number. */
export const messengerUserIdSegment = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive integer')
  .transform(Number)
  .refine((id) => id <= INTEGER_MAX, `must be at most ${INTEGER_MAX}`)
  // A path has text only; what it stands for is a number.
  .meta({ type: 'integer', minimum: MESSENGER_USER_ID_MIN, maximum: INTEGER_MAX, pattern: undefined });

/** A phone number in E.164 form (`+` and 7 to 15 digits); spaces and dashes are tolerated and left out. */
export const phoneNumberField = z
  .string()
  .max(32, 'must have at most 32 characters')
  .transform((text) => text.replace(/[ -]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number such as +44 20 7946 0018'));
