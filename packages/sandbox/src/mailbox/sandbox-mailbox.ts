import { randomUUID } from 'node:crypto';
import { comparableEmail } from '@latchkey/contract';
import type { Mailer, MailMessage } from '@latchkey/server';
import type { Needs } from '../services/services.js';

export const MAILBOX_PATH = '/sandbox/mailbox';

export type MailView = 'light' | 'dark' | 'text';

export function mailboxHref(to?: string): string {
  return to === undefined ? MAILBOX_PATH : `${MAILBOX_PATH}?${new URLSearchParams({ to })}`;
}

export function mailHref(id: string, view: MailView = 'light'): string {
  const path = `${MAILBOX_PATH}/${encodeURIComponent(id)}`;
  return view === 'light' ? path : `${path}?${new URLSearchParams({ view })}`;
}

export function mailHtmlHref(id: string, scheme: 'light' | 'dark'): string {
  return `${MAILBOX_PATH}/${encodeURIComponent(id)}/html?${new URLSearchParams({ scheme })}`;
}

/** A message that the sandbox stored instead of sending it. */
export interface ReceivedMail extends Omit<MailMessage, 'id'> {
  id: string;
  /** Name shown before the sender's address. */
  senderName: string;
  /** Milliseconds since the epoch, by the service's clock. */
  receivedAt: number;
}

const MAILBOX_SIZE = 200;

/** Returns the data of the event about a message. A sign-in code in the subject is masked. */
function mailEvent({ id, to, subject, receivedAt, code }: ReceivedMail) {
  const shown = code === undefined ? subject : subject.replaceAll(code, '•'.repeat(code.length));
  return { id, to, subject: shown, receivedAt };
}

/** A mailer that stores its messages in memory. No message leaves the process. */
export class SandboxMailbox implements Mailer {
  readonly #services: Needs<'clock' | 'hub'>;
  readonly #senderName: string;
  #messages: readonly ReceivedMail[] = [];

  constructor(services: Needs<'clock' | 'hub'>, senderName: string) {
    this.#services = services;
    this.#senderName = senderName;
  }

  async send(message: MailMessage): Promise<void> {
    const { clock, hub } = this.#services;
    const senderName = this.#senderName;
    const received = { senderName, ...message, id: randomUUID(), receivedAt: clock.now() };
    this.#messages = [received, ...this.#messages].slice(0, MAILBOX_SIZE);
    hub.publish('mail', mailEvent(received));
  }

  /** Returns the messages, newest first: all of them, or those to one address. */
  list(to?: string): readonly ReceivedMail[] {
    const address = to === undefined ? undefined : comparableEmail(to);
    return this.#messages.filter((message) => address === undefined || message.to === address);
  }

  /** Returns the newest message to an address: a sign-in code, a receipt, an invitation. */
  latestFor(email: string): ReceivedMail | undefined {
    return this.list(email)[0];
  }

  /** Returns the newest sign-in code that was sent to an address. */
  codeFor(email: string): string | undefined {
    return this.list(email).find(({ code }) => code !== undefined)?.code;
  }

  find(id: string): ReceivedMail | undefined {
    return this.#messages.find((message) => message.id === id);
  }

  /** Drops all messages. */
  clear(): void {
    this.#messages = [];
  }
}
