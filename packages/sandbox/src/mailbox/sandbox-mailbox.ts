import { randomUUID } from 'node:crypto';
import type { Clock, Mailer, MailMessage } from '@latchkey/server';

/** Message that the sandbox stored instead of sending it. */
export interface ReceivedMail extends MailMessage {
  id: string;
  /** Milliseconds since the epoch, by the service's clock. */
  receivedAt: number;
}

/** Mailer that stores its messages in memory. No message leaves the process. */
export interface SandboxMailbox extends Mailer {
  /** Returns the messages, newest first: all of them, or those to one address. */
  list(to?: string): readonly ReceivedMail[];
  /** Returns the newest message to an address. */
  latestFor(email: string): ReceivedMail | undefined;
  /** Returns the message with an id. */
  find(id: string): ReceivedMail | undefined;
  /** Drops all messages. */
  clear(): void;
}

/** Number of messages kept. Older ones are dropped. */
const MAILBOX_SIZE = 200;

/**
 * Creates an empty mailbox.
 *
 * @param onMail called with each message that arrives.
 */
export function createSandboxMailbox(clock: Clock, onMail: (mail: ReceivedMail) => void): SandboxMailbox {
  let messages: readonly ReceivedMail[] = [];
  const list = (to?: string) =>
    to === undefined ? messages : messages.filter((message) => message.to === to.trim().toLowerCase());
  return {
    async send(message) {
      const received = { ...message, id: randomUUID(), receivedAt: clock.now() };
      messages = [received, ...messages].slice(0, MAILBOX_SIZE);
      onMail(received);
    },
    list,
    latestFor: (email) => list(email)[0],
    find: (id) => messages.find((message) => message.id === id),
    clear() {
      messages = [];
    },
  };
}
