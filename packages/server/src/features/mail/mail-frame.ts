import * as z from 'zod';
import { browserInWords } from '../../platform/http/browser-name.js';
import { formatTime, t } from '../../platform/language/language.js';
import {
  type MailBrand,
  type MailContent,
  type MailFacts,
  type MailText,
  renderMail,
} from '../../platform/mail/render-mail.js';
import { imitates } from '../brand/imitation.js';

export interface MailService {
  readonly baseUrl: string;
  readonly brand: MailBrand;
}

export function plainServiceName({ brand }: MailService): string {
  return plainName(brand.name);
}

/** Returns the sender's name for a mail about an app that the operator has verified: `Ember & Oak via Latchkey`. */
export function senderName(service: MailService, name: string): string {
  return t('{app} via {service}', { app: name, service: plainServiceName(service) });
}

/** A mail in the service's own name, unless it has the brand of an app that the operator has verified. */
export function serviceMail(
  service: MailService,
  { reason, ...content }: Omit<MailContent, 'brand' | 'footer'> & { reason: string; brand?: MailBrand },
) {
  const name = plainServiceName(service);
  const footer = t('{reason} Sent by {service}, {host}.', {
    reason,
    service: name,
    host: new URL(service.baseUrl).host,
  });
  return renderMail({ brand: { ...service.brand, name }, ...content, footer });
}

/** When something happened, with the browser and network if it happened in a session. */
export const placeFacts = z.object({
  at: z.number(),
  browser: z.string().nullable(),
  network: z.string().nullable(),
});

export function placeRows({ at, browser, network }: z.output<typeof placeFacts>): MailFacts {
  return {
    [t('When')]: formatTime(at),
    [t('Browser')]: browserInWords(browser) ?? false,
    [t('Network')]: network ?? false,
  };
}

export function accountMail(
  service: MailService,
  { title, text, blocks, reason }: Pick<MailContent, 'blocks'> & Record<'title' | 'text' | 'reason', string>,
) {
  return serviceMail(service, { subject: title, preview: text, title, blocks: [text, ...blocks], reason });
}

/** Maximum length of a quoted name, in characters. Inboxes show about forty characters of a subject. */
const LENGTH_MAX = 40;

/** Line breaks, controls, direction overrides, invisible marks, private and unassigned characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** The same, without the joiners that Persian, Indic scripts and emoji need. */
const REMOVED = /(?:(?![\u200c\u200d])\p{C}|[\p{Zl}\p{Zp}])+/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Marks after the second one on a letter, which would cover the lines around it. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/**
 * Addresses that mail programs turn into links: a scheme, a www host, a domain, a mailbox. Full stops from any script
 * count.
 */
const ADDRESS = /:\/\/|\bwww\.|@|[\p{L}\p{N}-][.\u3002\u06d4\u2024]\p{L}{2,}/iu;
/** Six digits that could be taken for a code. */
const CODE = /\p{N}{6}/u;
/** Years: "Class of 2025–2026" isn't a telephone number. */
const YEARS = /(?<!\p{N}[^\p{L}\p{N}]*)(?:19|20)\p{Nd}{2}(?:\s*[-–]\s*(?:19|20)\p{Nd}{2})?(?!\p{N})/gu;
/** How many digits, spread over a whole name, make a telephone number, whatever is between them. */
const DIGITS_SPREAD = 7;
/**
 * Telephone numbers: seven digits with anything but letters between them, counting letters that stand in for digits.
 */
const NUMBER = /(?:[\p{N}oil][^\p{L}\p{N}]*){7,}/giu;
const DIGITS_MIN = 5;
/** Start of an encoded word in a mail header (RFC 2047). */
const ENCODED = /=\s*\?/u;
/** Latin letters, and letters of a script with look-alikes, in one word. */
const MIXED_SCRIPTS =
  /(?:\p{Script=Latin}[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])|(?:[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}][\p{L}\p{M}]*\p{Script=Latin})/u;

/** For names that the operator verified or wrote: on one line, without control characters, at most 40 characters. */
export function plainName(name: string): string {
  const line = name.replace(REMOVED, ' ').replace(STACKED_MARKS, '$1').replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return characters.length <= LENGTH_MAX
    ? line
    : `${characters
        .slice(0, LENGTH_MAX - 1)
        .join('')
        .trimEnd()}…`;
}

/**
 * Returns a name that a stranger wrote, formatted by {@link plainName}, or `undefined` if a mail must not contain it.
 * Readers trust a mail from the service. A name with a link, a telephone number, look-alike letters or the service's
 * name would take advantage of that.
 */
export function quotableName(name: string, serviceName: string): string | undefined {
  // People read full-width and other compatibility forms like the plain ones.
  const read = name.normalize('NFKC').replace(UNPRINTABLE, '');
  if (ADDRESS.test(read) || ENCODED.test(read) || hasNumber(read) || MIXED_SCRIPTS.test(read))
    return undefined;
  if (imitates(read, serviceName)) return undefined;
  const plain = plainName(name);
  return VISIBLE.test(plain) ? plain : undefined;
}

function hasNumber(text: string): boolean {
  if (CODE.test(text)) return true;
  const digitsIn = (part: string) => part.replace(/\P{N}/gu, '').length;
  // A number may also be split by words or letters, and part of one may look like a year.
  if (digitsIn(text.replace(YEARS, ' ')) >= DIGITS_SPREAD) return true;
  return [...text.replace(YEARS, ' ').matchAll(NUMBER)].some(([run]) => digitsIn(run) >= DIGITS_MIN);
}

/** Returns a name that a stranger wrote, marked as such, or `words` if a mail must not contain it. */
export function nameOrNot(name: string | null, service: MailService, words: string): MailText {
  const quotable = name === null ? undefined : quotableName(name, service.brand.name);
  return quotable === undefined ? words : [{ name: quotable }];
}
