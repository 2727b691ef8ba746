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
 */
export function createSmtpMailer({ smtpUrl, from, allowPlaintext = false }: SmtpOptions): Mailer {
  const requireTLS = !allowPlaintext && !isLoopback(new URL(smtpUrl));
  let transport: Promise<Transporter> | undefined;
  return {
    async send({ to, subject, text }) {
      transport ??= openTransport(smtpUrl, requireTLS);
      await (await transport).sendMail({ from, to, subject, text });
    },
  };
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
