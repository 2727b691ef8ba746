import { webhookHeadersOf } from '@latchkey/contract/constants';
import type { NewEvent, ServiceState } from './endpoint.js';
import type { FakeDelivery, FakeEvent, FakeWebhook } from './reading.js';
import { isSameId } from './world.js';

/** "The receiver answers with a 2xx status within 10 seconds" (specification, "Events", 5). */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Sends events to the registered endpoints over real HTTP, and records every attempt. */
export type Deliveries = ReturnType<typeof createDeliveries>;

export function createDeliveries({
  clock,
  names,
  reading,
  newId,
}: Pick<ServiceState, 'clock' | 'names' | 'reading'> & { newId(): string }) {
  const webhooks: FakeWebhook[] = [];
  const log: FakeDelivery[] = [];
  const running = new Set<Promise<void>>();
  const stopped = new AbortController();
  const headerNames = webhookHeadersOf(names);

  /** Sends one delivery until it succeeds or its attempts are used up. */
  async function deliver(event: FakeEvent, { url, secret }: FakeWebhook): Promise<void> {
    const { id: eventId, type, communityId } = event;
    const body = reading.webhookBody(event, reading);
    const headers = {
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      [headerNames.signature]: reading.signature(await hmac(secret, body)),
      [headerNames.eventType]: type,
      [headerNames.eventId]: eventId,
    };
    let successes = 0;
    for (const [index, pauseMs] of reading.deliveryPausesMs.entries()) {
      await pause(pauseMs, stopped.signal);
      if (stopped.signal.aborted) return;
      const entry: FakeDelivery = {
        ...{ eventId, type, communityId, url, headers, body },
        ...{ attempt: index + 1, status: undefined },
      };
      log.push(entry);
      entry.status = await send(url, headers, body);
      successes += isSuccess(entry.status) ? 1 : 0;
      if (successes >= (reading.deliversTwice ? 2 : 1)) return;
    }
  }

  /** With shared secrets, an event arrives at all others first, which is the worst order. */
  async function deliverToAll(event: FakeEvent): Promise<void> {
    const isOwn = ({ communityId }: FakeWebhook) => isSameId(communityId, event.communityId);
    const others = reading.sharesSecrets ? webhooks.filter((webhook) => !isOwn(webhook)) : [];
    for (const receivers of [others, webhooks.filter(isOwn)]) {
      await Promise.all(receivers.map((webhook) => deliver(event, webhook)));
    }
  }

  async function send(url: string, headers: Record<string, string>, body: string) {
    const signal = AbortSignal.any([AbortSignal.timeout(RESPONSE_TIMEOUT_MS), stopped.signal]);
    try {
      const response = await fetch(url, { method: reading.method, headers, body, signal });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return undefined;
    }
  }

  return {
    log,
    /** Registers an endpoint, which receives all events of its community. */
    addWebhook: (webhook: FakeWebhook) => void webhooks.push(webhook),
    emit(...given: readonly NewEvent[]): void {
      const events = given.map((event) => ({ ...event, id: newId(), at: clock.now() }));
      for (const event of reading.order(events)) {
        const delivery = deliverToAll(event).finally(() => running.delete(delivery));
        running.add(delivery);
      }
    },
    /** Resolves when every event was delivered or its attempts are used up. */
    async settled(): Promise<void> {
      while (running.size > 0) await Promise.all(running);
    },
    stop: () => stopped.abort(),
  };
}

const isSuccess = (status: number | undefined) => status !== undefined && status >= 200 && status < 300;

async function hmac(secret: string, body: string): Promise<Uint8Array> {
  const text = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  // The characters of the secret are the key (specification, "Events", 4).
  const key = await crypto.subtle.importKey('raw', text.encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, text.encode(body)));
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
