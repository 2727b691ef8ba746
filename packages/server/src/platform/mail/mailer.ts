import { isError } from '@latchkey/contract/constants';
import { HIDDEN } from '../logging/redaction.js';

/** A message to one person, as plain text and as HTML with the same content. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  /** @default the email is plain text */
  html?: string;
  /**
   * Name shown before the sender's address.
   *
   * @default the mailer's configured name, else the operator's name
   */
  senderName?: string;
  /** Images that the HTML refers to by `cid:`. */
  images?: readonly InlineImage[];
  /**
   * Left part of the `Message-ID` header. All attempts to send an email have the same id, so email programs show it
   * once.
   *
   * @default a new random id
   */
  id?: string;
  /** https URL that stops such emails with one click (RFC 8058). */
  unsubscribeUrl?: string;
  /** The sign-in code in the text. */
  code?: string;
}

/** An image inside an email. */
export interface InlineImage {
  /** Name that the HTML refers to it by: `cid:logo`. */
  contentId: string;
  /** `image/png`, for example. */
  contentType: string;
  base64: string;
}

/** Sends email. */
export interface Mailer {
  /**
   * Resolves once the mail server has accepted the message.
   *
   * @throws MailRejectedError if another attempt can't succeed, or any other error if it can.
   */
  send(message: MailMessage): Promise<void>;
}

/** The mail server permanently rejected the recipient or the message. */
export class MailRejectedError extends Error {
  override name = 'MailRejectedError';
}

const MAILBOX = /[^\s<>()[\]{}"',;:]+@[^\s<>()[\]{}"',;]+/g;

/** Returns a mailer's error for the log. Mail servers repeat the recipient's address, which a log must not contain. */
export function withoutMailboxes(error: unknown): unknown {
  if (!isError(error)) return error;
  const shown = new Error(error.message.replace(MAILBOX, HIDDEN));
  shown.name = error.name;
  if (error.stack !== undefined) shown.stack = error.stack.replace(MAILBOX, HIDDEN);
  return 'code' in error ? Object.assign(shown, { code: error.code }) : shown;
}
