import { isError, isLoopback } from '@latchkey/contract/constants';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { type Mailer, type MailMessage, MailRejectedError } from './mailer.js';

export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  smtpUrl: string;
  /** Sender: an address, or `Name <address>`. */
  from: string;
  /** Name for a sender that is only an address. @default no name */
  defaultName?: string | undefined;
  /** Allows a connection without TLS to a server on another machine. @default false */
  allowPlaintext?: boolean | undefined;
}

/** How long the mail server may take to respond, in milliseconds. A user waits for the response. */
const SMTP_TIMEOUT_MS = 10_000;

/** First reply code of SMTP that reports a permanent failure (RFC 5321, 4.2.1). */
const PERMANENT_FAILURE = 500;

/**
 * Sign-in codes open accounts, so a connection to another machine must use TLS: `smtps:`, or `smtp:` with STARTTLS. The
 * error about an invalid URL leaves it out, since it can contain a password.
 */
export function createSmtpMailer({
  smtpUrl,
  from,
  defaultName = '',
  allowPlaintext = false,
}: SmtpOptions): Mailer {
  const requireTLS = !isLoopback(parseSmtpUrl(smtpUrl)) && !allowPlaintext;
  const parsed = parseSender(from);
  const sender = { ...parsed, name: parsed.name || defaultName };
  let transport: Promise<Transporter> | undefined;
  return {
    async send(message) {
      transport ??= openTransport(smtpUrl, requireTLS);
      const opened = await transport;
      try {
        await opened.sendMail(mailOptions(message, sender));
      } catch (error) {
        throw isPermanent(error) ? new MailRejectedError('The mail server rejected the mail.') : error;
      }
    },
  };
}

function parseSender(from: string) {
  const [, name = '', address = from] = /^\s*"?(.*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? [];
  return { name, address: address.trim() };
}

function mailOptions(message: MailMessage, sender: ReturnType<typeof parseSender>): SendMailOptions {
  const { to, subject, text, html, images = [], id, unsubscribeUrl, senderName = sender.name } = message;
  const host = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    from: { name: literal(senderName), address: sender.address },
    // An object is one address. A string would be parsed as a list.
    to: { name: '', address: to },
    subject: literal(subject),
    text,
    ...(html !== undefined && { html }),
    attachments: images.map(({ contentId, contentType, base64 }) => ({
      cid: contentId,
      contentType,
      content: base64,
      encoding: 'base64',
      contentDisposition: 'inline' as const,
      filename: false as const,
    })),
    ...(id !== undefined && { messageId: `<${id}@${host}>` }),
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': { prepared: true, foldLines: false, value: `<${unsubscribeUrl}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** Without encoded words (RFC 2047): mail programs would show what they stand for, which nobody has checked. */
function literal(header: string): string {
  return header.replaceAll('=?', '= ?');
}

/** True for a rejected recipient or message. A wrong password isn't permanent: the operator will correct it. */
function isPermanent(error: unknown): boolean {
  if (!(isError(error) && 'code' in error && 'responseCode' in error)) return false;
  const { code, responseCode } = error;
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= PERMANENT_FAILURE;
}

function parseSmtpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(
      'Option "smtpUrl" must be smtp://user:password@host:587 or smtps://user:password@host:465. Its value is not shown.',
    );
  }
  if (url.search !== '') {
    throw new Error(
      'Option "smtpUrl" must be without a query, whose parameters could switch TLS off. Its value is not shown.',
    );
  }
  return url;
}

/** Loads nodemailer with the first email, so the server starts faster. Messages can't make it read files or URLs. */
async function openTransport(url: string, requireTLS: boolean): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    requireTLS,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
