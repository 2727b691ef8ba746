import type { WebhookEventType } from '@latchkey/contract/constants';
import type { MembershipRecord, Reservation } from './world.js';

/** An event, before a reading turns it into a delivery. */
export interface FakeEvent {
  id: string;
  type: WebhookEventType;
  /** Milliseconds since the epoch. */
  at: number;
  communityId: string;
  /** Undefined for a payment that failed. */
  record: MembershipRecord | undefined;
  /** Set for payments. */
  reservation: Reservation | undefined;
}

/** An endpoint of an integrator that receives the events of a community. */
export interface FakeWebhook {
  url: string;
  /** 64 hex characters. */
  secret: string;
  communityId: string;
}

/** One attempt to deliver an event. */
export interface FakeDelivery {
  eventId: string;
  type: WebhookEventType;
  /** Community of the event. */
  communityId: string;
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Status of the answer. Undefined until the receiver has answered, and if it never does. */
  status: number | undefined;
}
