import { timingSafeEqual } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@latchkey/contract/constants';
import { signBody } from '../domain/webhooks/delivery-signature.js';
import type { Clock } from '../platform/clock.js';

/** Where the sandbox's own endpoint for webhooks listens. */
export const RECEIVER_PATH = '/sandbox/webhooks/receiver';

/** How the receiver answers: as an endpoint should, with a failure, or not at all. */
export const RECEIVER_MODES = ['accept', 'fail', 'hang'] as const;

/** One of the ways to answer. */
export type ReceiverMode = (typeof RECEIVER_MODES)[number];

/** A delivery that arrived at the receiver, and what the receiver made of it. */
export interface ReceivedDelivery {
  /** Milliseconds since the epoch, by the service's clock. */
  receivedAt: number;
  /** As the header says; empty when there is none. */
  eventType: string;
  eventId: string;
  /** Whether the signature is that of a webhook which leads here. */
  verified: boolean;
  /** The event had arrived before: a receiver acts on it once. */
  repeated: boolean;
  /** What the receiver answered; null when it did not. */
  answered: 204 | 400 | 500 | null;
}

/** An endpoint inside of the sandbox, which keeps what arrives in memory. */
export interface SandboxReceiver {
  mode: ReceiverMode;
  /** Newest first. */
  list(): readonly ReceivedDelivery[];
  /** Takes a delivery in, and gives the status to answer with; null for none. */
  take(
    delivery: { header: (name: string) => string | undefined; body: Buffer },
    secrets: readonly string[],
  ): ReceivedDelivery['answered'];
}

/** Older deliveries fall out. */
const KEPT = 100;

export function createSandboxReceiver(clock: Clock): SandboxReceiver {
  let arrived: readonly ReceivedDelivery[] = [];
  return {
    mode: 'accept',
    list: () => arrived,
    take({ header, body }, secrets) {
      const eventId = header(WEBHOOK_HEADERS.eventId) ?? '';
      const verified = isSignedWithOne(header(WEBHOOK_HEADERS.signature) ?? '', { body, secrets });
      const answered = answerOf(this.mode, verified);
      const delivery = {
        receivedAt: clock.now(),
        eventType: header(WEBHOOK_HEADERS.eventType) ?? '',
        eventId,
        verified,
        repeated:
          eventId !== '' && arrived.some((earlier) => earlier.verified && earlier.eventId === eventId),
        answered,
      };
      arrived = [delivery, ...arrived].slice(0, KEPT);
      return answered;
    },
  };
}

function answerOf(mode: ReceiverMode, verified: boolean): ReceivedDelivery['answered'] {
  if (mode === 'hang') return null;
  if (mode === 'fail') return 500;
  return verified ? 204 : 400;
}

function isSignedWithOne(
  signature: string,
  { body, secrets }: { body: Buffer; secrets: readonly string[] },
): boolean {
  const sent = Buffer.from(signature);
  return secrets.some((secret) => {
    const expected = Buffer.from(signBody(body, secret));
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}
