import { isError } from '@latchkey/contract/constants';
import { HIDDEN } from '../logging/redaction.js';

/** Message to one person, as plain text and as HTML with the same content. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  /** @default the mail is plain text */
  html?: string;
  /**
   * Name shown before the sender's address.
   *
   * @default the name that the mailer is configured with, else the operator's name
   */
  senderName?: string;
  /** Images that the HTML refers to as `cid:`. */
  images?: readonly InlineImage[];
  /**
   * Left part of the header `Message-ID`. Attempts to send the same mail have the same id, so mail programs show one mail.
   *
   * @default a new random id
   */
  id?: string;
  /** https URL that ends such mails with one click (RFC 8058). */
  unsubscribeUrl?: string;
  /** Sign-in code that the text contains. */
  code?: string;
}

/** Image inside of a mail. */
export interface InlineImage {
  /** Name by which the HTML refers to it: `cid:logo`. */
  contentId: string;
  /** `image/png`, for example. */
  contentType: string;
  base64: string;
}

/** Sends mail. */
export interface Mailer {
  /**
   * Resolves once the mail server has accepted the message.
   *
   * @throws MailRejectedError if another attempt cannot succeed, and any other error if it can.
   */
  send(message: MailMessage): Promise<void>;
}

/** The mail server permanently rejected the recipient or the message. */
export class MailRejectedError extends Error {
  override name = 'MailRejectedError';
}

const MAILBOX = /[^\s<>()[\]{}"',;:]+@[^\s<>()[\]{}"',;]+/g;

/** Returns an error of a mailer for the log. Mail servers repeat the address of the recipient, which a log must not contain. */
export function withoutMailboxes(error: unknown): unknown {
  if (!isError(error)) return error;
  const shown = new Error(error.message.replace(MAILBOX, HIDDEN));
  shown.name = error.name;
  if (error.stack !== undefined) shown.stack = error.stack.replace(MAILBOX, HIDDEN);
  return 'code' in error ? Object.assign(shown, { code: error.code }) : shown;
}
