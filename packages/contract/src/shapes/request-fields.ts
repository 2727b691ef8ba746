import * as z from 'zod';
import { DEFAULT_SERVICE_NAMES, type ServiceNames, type ServiceNamesOption } from '../names/service-names.js';
import { INTEGER_MAX, MESSENGER_USER_ID_MIN, URL_MAX_LENGTH } from './limits.js';
import { parseTimestamp } from './timestamp.js';
import { UUID } from './without-zod.js';

// One '@' and at least two labels after it. The local part accepts the dot-atom characters of RFC 5322.
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** Maximum length of `externalOrderId` and `externalId`, in characters. Not part of the spec. */
const EXTERNAL_ID_MAX_LENGTH = 255;
/** Maximum length of an email address, in characters (RFC 5321 section 4.5.3.1.3). Not part of the spec. */
const EMAIL_MAX_LENGTH = 254;

/** A UUID in any case. Returned in lower case. */
export const uuidField = z
  .string()
  .regex(UUID, 'must be a UUID')
  .toLowerCase()
  // A JSON Schema pattern has no flag to ignore case.
  .meta({ format: 'uuid', pattern: '^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$' });

/**
 * A string that every database stores unchanged. PostgreSQL rejects NUL. A lone surrogate has no UTF-8 encoding, so two
 * different strings could be stored as the same bytes.
 */
const storableText = z
  .string()
  .refine((text) => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text), 'must be text without NUL');

/** An identifier that the caller chose: 1 to 255 characters, case-sensitive. */
export const externalIdField = storableText
  .min(1, 'must not be empty')
  .max(EXTERNAL_ID_MAX_LENGTH, `must have at most ${EXTERNAL_ID_MAX_LENGTH} characters`);

/** A string with a maximum length in characters. */
export function limitedTextField(maxLength: number) {
  return storableText.max(maxLength, `must have at most ${maxLength} characters`);
}

/** A standard class of every runtime. This package is compiled without the types of any. */
declare const URL: { new (url: string): { readonly hostname: string }; canParse(url: string): boolean };

/**
 * Returns an email address with the ASCII form of its domain (UTS 46, as browsers and mail servers write it), or
 * unchanged if there is none. The local part stays as it is.
 */
function withAsciiDomain(typed: string): string {
  // Japanese and Chinese keyboards write a wide @ and other dots, which UTS 46 treats as dots.
  const address = typed.includes('@') ? typed : typed.replace('\uff20', '@');
  const at = address.lastIndexOf('@') + 1;
  const labels = address.slice(at).split(/[.\u3002\uff0e\uff61]/);
  if (at === 0) return address;
  return address.slice(0, at) + labels.map(asciiLabel).join('.');
}

/** A label that isn't made of letters, digits and hyphens stays as it is: it isn't a name, or would become somebody else's. */
function asciiLabel(label: string): string {
  if (!/[^\x20-\x7e]/.test(label) || !/^[\p{L}\p{M}\p{N}-]+$/u.test(label)) return label;
  const host = `http://${label}.example`;
  const ascii = URL.canParse(host) ? new URL(host).hostname.replace(/\.example$/, '') : label;
  return ascii.startsWith('xn--') ? ascii : label;
}

/**
 * An email address of at most 254 characters. Returned trimmed, in lower case and with an ASCII domain. It's checked
 * before it's lower-cased: the lower case of some non-ASCII characters is ASCII, so the result could be somebody else's
 * address.
 */
export const emailField = z
  .string()
  .trim()
  .overwrite(withAsciiDomain)
  .max(EMAIL_MAX_LENGTH, `must have at most ${EMAIL_MAX_LENGTH} characters`)
  .regex(EMAIL, 'must be an email address')
  .toLowerCase()
  // The pattern would reject surrounding white space and upper case, which the service accepts.
  .meta({ format: 'email', pattern: undefined });

/** Converts an email address that somebody typed to the form in which addresses are stored and compared. */
export function comparableEmail(typed: string): string {
  return emailField.safeParse(typed).data ?? typed.trim().toLowerCase();
}

/**
 * An absolute http or https URL of at most 2048 characters. RFC 3986 only allows printable ASCII, and other characters
 * are invalid in a Location header.
 */
export const webUrlField = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL', abort: true })
  .regex(/^[\x21-\x7e]+$/, 'must be an http or https URL, percent-encoded where it is not ASCII')
  .max(URL_MAX_LENGTH, `must have at most ${URL_MAX_LENGTH} characters`);

/** An ISO-8601 date or date-time. Returned as milliseconds since the epoch. See {@link parseTimestamp}. */
export const timestampField = z.string().transform((text, context) => {
  const ms = parseTimestamp(text);
  if (ms !== undefined) return ms;
  context.addIssue({ code: 'custom', message: 'must be an ISO-8601 date or date-time', input: text });
  return z.NEVER;
});

/** A messenger user id in a JSON body: an integer from 1 to 2^53-1, not a numeric string. */
export const messengerUserIdField = z
  .int({ error: 'must be an integer' })
  .min(MESSENGER_USER_ID_MIN, `must be at least ${MESSENGER_USER_ID_MIN}`);

/** A messenger user id in a path: 1 to 2^53-1 without sign or leading zero. Returned as a number. */
export const messengerUserIdSegment = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be a positive integer')
  .transform(Number)
  .refine((id) => id <= INTEGER_MAX, `must be at most ${INTEGER_MAX}`)
  // JSON Schema would describe the path segment as a string.
  .meta({ type: 'integer', minimum: MESSENGER_USER_ID_MIN, maximum: INTEGER_MAX, pattern: undefined });

/** A phone number in E.164 format (`+` and 7 to 15 digits). Spaces and dashes are accepted and removed. */
export const phoneNumberField = z
  .string()
  .max(32, 'must have at most 32 characters')
  .transform((text) => text.replace(/[ -]/g, ''))
  .pipe(z.string().regex(/^\+[1-9]\d{6,14}$/, 'must be a phone number such as +44 20 7946 0018'));

/**
 * Validates the option `serviceNames`. Names that aren't set are the spec's placeholders. Unknown keys are rejected:
 * otherwise a misspelled name would silently be the placeholder.
 */
export const serviceNamesOption: z.ZodType<ServiceNames, ServiceNamesOption | undefined> = z
  .strictObject({
    apiKeyPrefix: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9-]{0,30}_$/,
        'must be letters, digits and -, with _ at the end, such as acme_.',
      )
      // The spec gives these prefixes to the credentials of OAuth clients.
      .refine(
        (prefix) => !['oac_', 'ocs_'].includes(prefix),
        'must not be that of an OAuth client (oac_, ocs_).',
      )
      .default(DEFAULT_SERVICE_NAMES.apiKeyPrefix),
    headerPrefix: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9-]{0,62}-$/,
        'must be letters, digits and -, with - at the end, such as X-Acme-.',
      )
      .default(DEFAULT_SERVICE_NAMES.headerPrefix),
    messenger: z
      .string()
      .regex(/^[a-z][a-z0-9]{0,30}$/, 'must be lower-case letters and digits, such as telegram.')
      .default(DEFAULT_SERVICE_NAMES.messenger),
  })
  .default(DEFAULT_SERVICE_NAMES);
