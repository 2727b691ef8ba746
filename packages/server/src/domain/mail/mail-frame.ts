import { formatTimestamp } from '@latchkey/contract/constants';
import type { MailBrand, MailContent } from '../../platform/mail/mail-content.js';
import { plainName } from './quotable-name.js';

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
