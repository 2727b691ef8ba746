/** Plain-text message to one person. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  /** Sign-in code that the text contains. */
  code?: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves once the mail server has accepted the message. Rejects if it has not. */
  send(message: MailMessage): Promise<void>;
}
