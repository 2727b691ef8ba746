import type { Transporter } from 'nodemailer';
import type { Mailer } from './mailer.js';

/** Options of {@link createSmtpMailer}. */
export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  smtpUrl: string;
  /** Sender: an address, or `Name <address>`. */
  from: string;
}

/** Maximum time for the mail server to respond, in milliseconds. A user waits for the response. */
const SMTP_TIMEOUT_MS = 10_000;

/** Sends mail through an SMTP server. */
export function createSmtpMailer({ smtpUrl, from }: SmtpOptions): Mailer {
  let transport: Promise<Transporter> | undefined;
  return {
    async send({ to, subject, text }) {
      transport ??= openTransport(smtpUrl);
      await (await transport).sendMail({ from, to, subject, text });
    },
  };
}

/** Loads nodemailer with the first mail, so that the server starts faster. */
async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
}
