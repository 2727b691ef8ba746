/**
 * Entries of a soak's log, one JSON object per line. Times are milliseconds since the epoch by the runner's clock. The clocks
 * of the servers are ahead of it by what the `clock` entries state. Tokens and codes appear as hashes.
 */
export type LogEntry =
  | StartEntry
  | CallEntry
  | WebhookEntry
  | ChargeEntry
  | ClockEntry
  | FaultEntry
  | MemoryEntry
  | BooksEntry
  | EndEntry;

export interface StartEntry {
  kind: 'start';
  at: number;
  seed: number;
  engine: 'postgres' | 'sqlite';
  /** Names of the webhook endpoints. Each must receive every event. */
  receivers: string[];
}

/** Operations of the virtual users. */
export type Operation =
  | 'provision'
  | 'end-now'
  | 'check-messenger'
  | 'memberships'
  | 'authorize'
  | 'redeem'
  | 'refresh'
  | 'revoke'
  | 'userinfo'
  | 'sign-out-apps'
  | 'buy-plan'
  | 'pay'
  | 'invite-link'
  | 'drop-signup'
  | 'open-product'
  | 'pay-product'
  | 'product-page'
  | 'provider-event';

/** Request of a virtual user, with its response. */
export interface CallEntry {
  kind: 'call';
  op: Operation;
  /** The virtual user, buyer or grant that the operation belongs to. Its writes are sequential. */
  subject: string;
  sent: number;
  done: number;
  input: Readonly<Record<string, unknown>>;
  /** Status of the response. Null without one: the operation may have been applied, or be applied later. */
  status: number | null;
  output?: Readonly<Record<string, unknown>>;
  /** The error of a request without a response. */
  error?: string;
}

/** Delivery that arrived at an endpoint. */
export interface WebhookEntry {
  kind: 'webhook';
  receiver: string;
  at: number;
  eventId: string;
  eventType: string;
  isSigned: boolean;
  /** Body as received. */
  body: string;
  /** Status of the response. Null if the connection was dropped or left without a response. */
  answered: number | null;
}

/** Order that the payment provider charged. A repeated order is charged once. */
export interface ChargeEntry {
  kind: 'charge';
  at: number;
  orderId: string;
}

/** Change of the servers' clocks. Between `from` and `until`, either value is possible. */
export interface ClockEntry {
  kind: 'clock';
  from: number;
  until: number;
  aheadMs: number;
}

export interface FaultEntry {
  kind: 'fault';
  at: number;
  fault: string;
  details?: unknown;
}

/** Memory of a server process after a garbage collection, in bytes. */
export interface MemoryEntry {
  kind: 'memory';
  at: number;
  /** Process id. */
  pid: number;
  rss: number;
  heapUsed: number;
}

/** What the database contains about payments at the end. */
export interface BooksEntry {
  kind: 'books';
  at: number;
  /** Payments of orders with a price. */
  payments: { orderId: string; externalId: string | null; isPaid: boolean; refundedMinor: number }[];
  /** Ids of the events of the payment provider. */
  events: string[];
  /** Access of those who paid for the plan, in milliseconds since the epoch; null without an end. */
  access: { orderId: string; validUntil: number | null }[];
}

export interface EndEntry {
  kind: 'end';
  at: number;
  /** Errors that the servers logged, by message. */
  logged: Record<string, number>;
  /** Exits of server processes that the run did not cause. */
  exits: string[];
}

/** True if the response states that the operation was applied. */
export function isAcknowledged({ status }: CallEntry): boolean {
  return status !== null && status < 400;
}

/** True if it is unknown whether the operation was applied: there was no response, or the server failed. */
export function isUnknown({ status }: CallEntry): boolean {
  return status === null || status >= 500;
}
