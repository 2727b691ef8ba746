import type { Transporter } from 'nodemailer';
import { isLoopback } from '../http/web-origin.js';
import type { Mailer } from './mailer.js';

/** Options of {@link createSmtpMailer}. */
export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  smtpUrl: string;
  /** Sender: an address, or `Name <address>`. */
  from: string;
  /**
   * Allows a connection without TLS to a server on another machine.
   *
   * @default false
   */
  allowPlaintext?: boolean | undefined;
}

/** Maximum time for the mail server to respond, in milliseconds. A user waits for the response. */
const SMTP_TIMEOUT_MS = 10_000;

/**
 * Sends mail through an SMTP server. Sign-in codes open accounts, so a connection to another machine must use TLS: `smtps:`,
 * or `smtp:` with STARTTLS. A server that offers neither gets no mail.
 *
 * @throws Error if the URL is none of a mail server. It does not contain the URL, which can contain a password.
 */
export function createSmtpMailer({ smtpUrl, from, allowPlaintext = false }: SmtpOptions): Mailer {
  const requireTLS = !allowPlaintext && !isLoopback(parseSmtpUrl(smtpUrl));
  let transport: Promise<Transporter> | undefined;
  return {
    async send({ to, subject, text }) {
      transport ??= openTransport(smtpUrl, requireTLS);
      await (await transport).sendMail({ from, to, subject, text });
    },
  };
}

function parseSmtpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(
      'Option "smtpUrl" must be smtp://user:password@host:587 or smtps://user:password@host:465. Its value is not shown.',
    );
  }
  return url;
}

/** Loads nodemailer with the first mail, so that the server starts faster. */
async function openTransport(url: string, requireTLS: boolean): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    requireTLS,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
}
