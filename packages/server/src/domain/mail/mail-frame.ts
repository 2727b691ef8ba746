import { formatTimestamp } from '@latchkey/contract/constants';
import type { MailBrand, MailContent } from '../../platform/mail/render-mail.js';
import { imitates } from '../brand/imitation.js';

/** Service that sends a mail. */
export interface MailService {
  /** Origin of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** Name, logo and colour of the service. */
  readonly brand: MailBrand;
}

/** Returns the service's name in plain text, as subjects and senders contain it. */
export function plainServiceName({ brand }: MailService): string {
  return plainName(brand.name);
}

/** Returns the sender's name of a mail about an app or a community: `Ember & Oak via Latchkey`. */
export function senderName(service: MailService, name: string): string {
  return `${name} via ${plainServiceName(service)}`;
}

/** Returns the footer of a mail: the reason for it, the name and the host of the service. */
export function mailFooter(service: MailService, reason: string): MailContent['footer'] {
  return `${reason} Sent by ${plainServiceName(service)}, ${new URL(service.baseUrl).host}.`;
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats a day for a mail: `22 November 2026`. */
export function mailDay(at: number): string {
  return DAY.format(at);
}

/** Formats an instant for a mail: `22 November 2026, 06:51 UTC`. */
export function mailTime(at: number): string {
  return `${mailDay(at)}, ${formatTimestamp(at).slice(11, 16)} UTC`;
}

/** Maximum length of a quoted name, in characters. Subjects show about forty. */
const LENGTH_MAX = 40;

/** Line breaks, controls, direction overrides, invisible marks, private and unassigned characters. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]+/gu;
/** The same without the joiners that Persian, Indic scripts and emoji need. */
const REMOVED = /(?:(?![\u200c\u200d])\p{C}|[\p{Zl}\p{Zp}])+/gu;
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
/** Marks after the second one on a letter. They would cover the lines around it. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** Addresses that mail programs turn into links: a scheme, a www host, a domain, a mailbox. */
const ADDRESS = /:\/\/|\bwww\.|@|[\p{L}\p{N}-]\.\p{L}{2,}/iu;
/** Telephone numbers, and six digits that could be taken for a code. */
const NUMBER = /\p{Nd}{6}|\p{Nd}(?:[\s().+/-]*\p{Nd}){8}/u;
/** Letters of Latin and of a script with look-alike letters, in one word. */
const MIXED_SCRIPTS =
  /(?:\p{Script=Latin}[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}])|(?:[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}][\p{L}\p{M}]*\p{Script=Latin})/u;

/**
 * Returns a name on one line, for a subject or a sender: without controls and direction overrides, at most 40 characters.
 * For names that the operator verified or wrote.
 */
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
 * Returns a name that a stranger wrote in the form of {@link plainName}, or `undefined` if a mail must not contain it. A mail
 * comes from the service, so readers trust it: a name with a link, a telephone number, look-alike letters or the name of the
 * service would use that trust.
 *
 * @param serviceName name of the service that sends the mail.
 */
export function quotableName(name: string, serviceName: string): string | undefined {
  // Full-width and other compatibility forms are read like the plain ones.
  const read = name.normalize('NFKC').replace(UNPRINTABLE, '');
  if (ADDRESS.test(read) || NUMBER.test(read) || MIXED_SCRIPTS.test(read)) return undefined;
  if (imitates(read, serviceName)) return undefined;
  const plain = plainName(name);
  return VISIBLE.test(plain) ? plain : undefined;
}
