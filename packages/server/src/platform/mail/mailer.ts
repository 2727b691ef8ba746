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
