import { createTransport } from 'nodemailer';
import type { Mailer } from './mailer.js';

/** Where mail goes out. */
export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  smtpUrl: string;
  /** The sender: an address, or `Name <address>`. */
  from: string;
}

/** How long the mail server may take to answer at all, so that a person is not left waiting. */
const SMTP_TIMEOUT_MS = 10_000;

/** Sends mail through an SMTP server. */
export function createSmtpMailer({ smtpUrl, from }: SmtpOptions): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ from, to, subject, text });
    },
  };
}
