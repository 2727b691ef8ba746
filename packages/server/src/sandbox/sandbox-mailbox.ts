import { randomUUID } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import type { Mailer, MailMessage } from '../platform/mail/mailer.js';

/** A message that the sandbox kept instead of sending it. */
export interface ReceivedMail extends MailMessage {
  id: string;
  /** Milliseconds since the epoch, by the service's clock. */
  receivedAt: number;
}

/** A mailer whose mail never leaves the process, and the mailbox it lands in. */
export interface SandboxMailbox extends Mailer {
  /** Newest first; all, or those to one address. */
  list(to?: string): readonly ReceivedMail[];
  /** The newest message to an address. */
  latestFor(email: string): ReceivedMail | undefined;
  find(id: string): ReceivedMail | undefined;
}

/** Older messages fall out. */
const MAILBOX_SIZE = 200;

export function createSandboxMailbox(clock: Clock): SandboxMailbox {
  let messages: readonly ReceivedMail[] = [];
  const list = (to?: string) =>
    to === undefined ? messages : messages.filter((message) => message.to === to.trim().toLowerCase());
  return {
    async send(message) {
      const received = { ...message, id: randomUUID(), receivedAt: clock.now() };
      messages = [received, ...messages].slice(0, MAILBOX_SIZE);
    },
    list,
    latestFor: (email) => list(email)[0],
    find: (id) => messages.find((message) => message.id === id),
  };
}
