import { formatTimestamp, type ServiceNames, webhookHeadersOf } from '@latchkey/contract/constants';
import type { Clock } from '@latchkey/server';
import {
  type Database,
  findDelivery,
  findDeliveryOwner,
  HIDDEN,
  inTransaction,
  listLoggedEvents,
  recordMembershipChange,
  scheduleRedelivery,
} from '@latchkey/server/extension';
import { ControlFailure, unknown } from '../access/control-failure.js';
import { type PastedDelivery, type SignatureCheck, verifySignature } from './verify-signature.js';

/** Webhook event with its deliveries. */
export interface EventEntry {
  readonly id: string;
  readonly type: string;
  /** ISO 8601, by the service's clock. */
  readonly createdAt: string;
  /** Parsed body. */
  readonly body: unknown;
  readonly deliveries: readonly {
    readonly id: string;
    readonly url: string;
    readonly status: 'pending' | 'delivered' | 'failed';
    readonly nextAttemptAt: string | null;
    readonly attemptCount: number;
  }[];
}

/** Delivery of an event to one webhook. */
export interface DeliveryEntry {
  readonly id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly status: 'pending' | 'delivered' | 'failed';
  /** Time of the next attempt, ISO 8601; null if none is planned. */
  readonly nextAttemptAt: string | null;
  /** Request of every attempt. The signature is hidden. */
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  /** Newest first. The service keeps status and failure of an answer, and not its body. */
  readonly attempts: readonly {
    readonly at: string;
    readonly durationMs: number;
    readonly status: number | null;
    readonly failure: string | null;
  }[];
}

/** Webhook deliveries of the sandbox. */
export interface Deliveries {
  /** Lists the newest events with their deliveries, newest first. */
  list(limit?: number): Promise<readonly EventEntry[]>;
  /** @throws ControlFailure `not_found` if there is no such delivery. */
  find(id: string): Promise<DeliveryEntry>;
  /** Sends a delivery again, with the same event id, and waits for the answer. */
  resend(id: string): Promise<DeliveryEntry>;
  /** Records an event about the present state of a membership, and sends it to the webhooks. */
  sendTest(test: { type: 'membership.created' | 'membership.updated'; membershipId: string }): Promise<void>;
  /** Checks the signature of a body with the secrets of all webhooks. */
  verify(pasted: PastedDelivery): Promise<SignatureCheck>;
}

interface DeliveryNeeds {
  readonly clock: Clock;
  db(): Database;
  names(): ServiceNames;
  deliverDue(): Promise<void>;
}

/** Creates the tools for deliveries. */
export function createDeliveries({ clock, db, names, deliverDue }: DeliveryNeeds): Deliveries {
  const ownerOf = async (id: string) => {
    const ownerId = await findDeliveryOwner(db(), id);
    if (ownerId === undefined) throw unknown('delivery', id);
    return ownerId;
  };
  const find = async (id: string) => await readDelivery(db(), { id, ownerId: await ownerOf(id) }, names());
  return {
    list: async (limit = 50) => (await listLoggedEvents(db(), limit)).map(asEntry),
    find,
    async resend(id) {
      const { kind } = await scheduleRedelivery(db(), { id, ownerId: await ownerOf(id) }, clock.now());
      if (kind === 'webhook-inactive') {
        throw new ControlFailure(
          'conflict',
          'The webhook is inactive or paused. Save it in the developer area first.',
        );
      }
      await deliverDue();
      return await find(id);
    },
    async sendTest({ type, membershipId }) {
      await inTransaction(db(), async (transaction) => {
        const membership = await transaction
          .selectFrom('memberships')
          .selectAll()
          .where('id', '=', membershipId)
          .executeTakeFirst();
        if (membership === undefined) throw unknown('membership', membershipId);
        const isNew = type === 'membership.created';
        await recordMembershipChange(transaction, membership, { isNew, now: clock.now() });
      });
      await deliverDue();
    },
    verify: (pasted) => verifySignature(db(), pasted),
  };
}

type LoggedEvent = Awaited<ReturnType<typeof listLoggedEvents>>[number];

function asEntry({ id, type, createdAt, body, deliveries }: LoggedEvent): EventEntry {
  return {
    id,
    type,
    createdAt: formatTimestamp(createdAt),
    body: JSON.parse(body),
    deliveries: deliveries.map(({ nextAttemptAt, lastAttempt: _, ...delivery }) => ({
      ...delivery,
      nextAttemptAt: timeOf(nextAttemptAt),
    })),
  };
}

async function readDelivery(
  db: Database,
  key: { id: string; ownerId: string },
  names: ServiceNames,
): Promise<DeliveryEntry> {
  const delivery = await findDelivery(db, key);
  if (delivery === undefined) throw unknown('delivery', key.id);
  const { id, eventId, webhookId, status, nextAttemptAt, type, body, attempts } = delivery;
  const headers = webhookHeadersOf(names);
  return {
    id,
    eventId,
    webhookId,
    status,
    nextAttemptAt: timeOf(nextAttemptAt),
    request: {
      headers: {
        'Content-Type': 'application/json',
        [headers.eventType]: type,
        [headers.eventId]: eventId,
        [headers.signature]: HIDDEN,
      },
      body,
    },
    attempts: attempts.map(({ attemptedAt, durationMs, statusCode, failure }) => ({
      at: formatTimestamp(attemptedAt),
      durationMs,
      status: statusCode,
      failure,
    })),
  };
}

function timeOf(instant: number | null): string | null {
  return instant === null ? null : formatTimestamp(instant);
}
