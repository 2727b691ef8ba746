import type { SandboxClock } from '../platform/clock.js';
import type { SandboxMailbox } from './sandbox-mailbox.js';
import type { SandboxReceiver } from './sandbox-receiver.js';
import type { SimulatedMessenger } from './simulated-messenger.js';

/** What the service has in sandbox mode only. */
export interface Sandbox {
  readonly clock: SandboxClock;
  readonly mailbox: SandboxMailbox;
  /** The messenger that the communities' chats are in. */
  readonly messenger: SimulatedMessenger;
  /** The endpoint inside of the sandbox that its webhooks lead to. */
  readonly receiver: SandboxReceiver;
  readonly guide: SandboxGuide;
}

/** What the sandbox's pages tell about its people and sites. Words for visitors; nothing is decided by them. */
export interface SandboxGuide {
  /** What makes a person worth trying, by e-mail address. */
  notes: Readonly<Record<string, string>>;
  /** An API key that everybody may know; absent until the sandbox is seeded. */
  apiKey?: string;
  /** The sites to start from. */
  shops: readonly { label: string; url: string }[];
  /** Pages of the service on which something is sold; `url` is root-relative. */
  forSale: readonly { label: string; url: string }[];
}
