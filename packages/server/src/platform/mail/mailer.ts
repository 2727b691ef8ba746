/** A message to one person, as plain text. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  /** Sign-in code that the text contains. */
  code?: string;
}

/** Sends mail. */
export interface Mailer {
  /** Resolves when the message was taken over for delivery; rejects when it was not. */
  send(message: MailMessage): Promise<void>;
}
