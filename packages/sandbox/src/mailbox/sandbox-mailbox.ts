import { randomUUID } from 'node:crypto';
import type { Clock, Mailer, MailMessage } from '@latchkey/server';

/** Message that the sandbox stored instead of sending it. */
export interface ReceivedMail extends Omit<MailMessage, 'id'> {
  id: string;
  /** Name shown before the sender's address. */
  senderName: string;
  /** Milliseconds since the epoch, by the service's clock. */
  receivedAt: number;
}

/** Mailer that stores its messages in memory. No message leaves the process. */
export interface SandboxMailbox extends Mailer {
  /** Returns the messages, newest first: all of them, or those to one address. */
  list(to?: string): readonly ReceivedMail[];
  /** Returns the newest message to an address: a sign-in code, a receipt, an invitation. */
  latestFor(email: string): ReceivedMail | undefined;
  /** Returns the newest sign-in code that was sent to an address. */
  codeFor(email: string): string | undefined;
  find(id: string): ReceivedMail | undefined;
  /** Drops all messages. */
  clear(): void;
}

/** Number of messages kept. Older ones are dropped. */
const MAILBOX_SIZE = 200;

interface SandboxMailboxOptions {
  readonly clock: Clock;
  readonly senderName: string;
  /** Called with each message that arrives. */
  onMail(mail: ReceivedMail): void;
}

/** Returns the data of the event about a message. A sign-in code in the subject is masked. */
export function mailEvent({ id, to, subject, receivedAt, code }: ReceivedMail) {
  const shown = code === undefined ? subject : subject.replaceAll(code, '•'.repeat(code.length));
  return { id, to, subject: shown, receivedAt };
}

/** Creates an empty mailbox. */
export function createSandboxMailbox({ clock, senderName, onMail }: SandboxMailboxOptions): SandboxMailbox {
  let messages: readonly ReceivedMail[] = [];
  const list = (to?: string) =>
    to === undefined ? messages : messages.filter((message) => message.to === to.trim().toLowerCase());
  return {
    async send(message) {
      const received = { senderName, ...message, id: randomUUID(), receivedAt: clock.now() };
      messages = [received, ...messages].slice(0, MAILBOX_SIZE);
      onMail(received);
    },
    list,
    latestFor: (email) => list(email)[0],
    codeFor: (email) => list(email).find(({ code }) => code !== undefined)?.code,
    find: (id) => messages.find((message) => message.id === id),
    clear() {
      messages = [];
    },
  };
}
