import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { WEBHOOK_EVENT_TYPES, webhookHeadersOf } from '@latchkey/contract/constants';
import { provision } from '../calls/api-key-calls.js';
import { inDays } from '../calls/shared-observations.js';
import { Missing, requireFixture, requireSuccess } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, once, type Session } from '../session/session.js';
import { buy } from './checkout-checks.js';

const TYPES: readonly string[] = WEBHOOK_EVENT_TYPES;

const webhook = once(async (session) => {
  const settings = requireFixture(session.fixtures.webhook, 'webhook');
  const receiver = await startReceiver(settings.port);
  session.onClose(() => receiver.close());
  const url = settings.url ?? `http://127.0.0.1:${receiver.port}/`;
  const timeoutMs = settings.timeoutSeconds * 1_000;
  // Without an id, the fixtures have the webhook.
  if (settings.secret !== undefined)
    return { receiver, url, timeoutMs, secret: settings.secret, webhookId: undefined };
  const { webhookId, secret } = await session.drive('createWebhook', { url });
  return { receiver, url, timeoutMs, secret, webhookId };
});

/** Provisions a membership twice, which a service can report as created and as updated. */
const events = once(async (session) => {
  const target = await webhook(session);
  const email = session.newEmail();
  requireSuccess(await provision(session, { email, validUntil: await inDays(session, 30) }));
  requireSuccess(await provision(session, { email }));
  return target;
});

function headerOf(
  session: Session,
  delivery: Delivery,
  name: 'signature' | 'eventType' | 'eventId',
): string | undefined {
  const value = delivery.headers[webhookHeadersOf(session.fixtures.serviceNames)[name].toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

/** Returns the type of an event from its header, or from its body if the header is missing. */
function typeOf(session: Session, delivery: Delivery): string | undefined {
  return (
    headerOf(session, delivery, 'eventType') ?? TYPES.find((type) => delivery.body.includes(`"${type}"`))
  );
}

/** Returns the deliveries to the community's webhook, after every operation there that the driver can do. */
const deliveries = once(async (session) => {
  const target = await events(session);
  const types = ['membership.created', 'membership.updated'];
  if (await isPossible(session, paid)) types.push('payment.success');
  if (await isPossible(session, declined)) types.push('payment.failed');
  for (const type of types) await arrives(session, type);
  const found = target.receiver.received();
  if (found.length === 0) throw new Missing('precondition: no delivery arrived');
  return { found, target };
});

/** False if the driver lacks what an operation needs. */
async function isPossible(session: Session, operate: (session: Session) => Promise<void>): Promise<boolean> {
  try {
    await operate(session);
    return true;
  } catch (error) {
    if (error instanceof Missing) return false;
    throw error;
  }
}

const arrives = once(async (session, type: string): Promise<boolean> => {
  const { receiver, timeoutMs } = await events(session);
  const found = await receiver.waitFor((delivery) => typeOf(session, delivery) === type, timeoutMs);
  return found !== undefined;
});

/** Expects the event that follows a completed checkout payment. */
async function expectPaymentSuccess(session: Session): Promise<void> {
  await paid(session);
  expect.that(await arrives(session, 'payment.success'), 'a delivery of payment.success', 'none');
}

/** Requires an event for which the specification doesn't name an operation: if it's missing, no rule is broken. */
async function requireEvent(session: Session, type: string): Promise<void> {
  if (await arrives(session, type)) return;
  throw new Missing(`not observed: no ${type} arrived, and the specification does not say what emits it`);
}

const paid = once(async (session) => {
  await events(session);
  await buy(session, {});
});

const declined = once(async (session) => {
  await events(session);
  await buy(session, {}, 'declined');
});

const purchased = once(async (session) => {
  const { url } = await events(session);
  const email = session.newEmail();
  requireSuccess(await provision(session, { email }));
  await session.drive('buyProduct', { email, webhookUrl: url });
});

/** Returns the encodings of a signature. The specification doesn't say which one. */
function signaturesOf(body: Buffer, key: string | Buffer): readonly string[] {
  const digest = createHmac('sha256', key).update(body).digest();
  return [digest.toString('hex'), digest.toString('base64'), digest.toString('base64url')];
}

function isSignedWith(session: Session, delivery: Delivery, key: string | Buffer): boolean {
  const text = (headerOf(session, delivery, 'signature') ?? '').replace(/^(?:sha256|v1)=/, '');
  return signaturesOf(delivery.body, key).some(
    (signature) => signature === text || signature === text.toLowerCase(),
  );
}

/** Returns the deliveries with a signature. Another rule is about missing ones. */
function signed(session: Session, found: readonly Delivery[]): readonly Delivery[] {
  const all = found.filter((delivery) => headerOf(session, delivery, 'signature') !== undefined);
  if (all.length === 0) throw new Missing('precondition: no signature');
  return all;
}

export const webhookChecks = checksOf('write', {
  'webhook.secret-format': check(webhook, ({ secret }) =>
    expect.that(/^[0-9a-f]{64}$/i.test(secret), '64 hex characters', `${secret.length} characters`),
  ),
  async 'webhook.secret-shown'(session) {
    const { webhookId, secret } = await webhook(session);
    if (webhookId === undefined) throw new Missing('needs fixtures.driver with the action createWebhook');
    const saved = await session.drive('saveWebhook', { webhookId });
    expect.that(saved.secret === secret, 'the same secret after saving the webhook again', 'another one');
  },
  async 'webhook.signature-header'(session) {
    for (const delivery of (await deliveries(session)).found) {
      expect.that(
        headerOf(session, delivery, 'signature') !== undefined,
        'the signature header',
        Object.keys(delivery.headers),
      );
    }
  },
  async 'webhook.event-type-header'(session) {
    for (const delivery of (await deliveries(session)).found) {
      const type = headerOf(session, delivery, 'eventType');
      expect.that(TYPES.includes(type ?? ''), `one of ${TYPES.join(', ')}`, type);
    }
  },
  async 'webhook.event-id-header'(session) {
    const typesById = new Map<string, string | undefined>();
    for (const delivery of (await deliveries(session)).found) {
      const id = headerOf(session, delivery, 'eventId');
      expect.that(id !== undefined && id !== '', 'the header with the event id', id);
      const type = typeOf(session, delivery);
      const known = typesById.get(id) ?? type;
      expect.that(known === type, `an id for ${type} that no event of another type has`, id);
      typesById.set(id, type);
    }
  },
  async 'webhook.signature-raw-body'(session) {
    const { found, target } = await deliveries(session);
    const keys = [target.secret, Buffer.from(target.secret, 'hex')];
    for (const delivery of signed(session, found)) {
      const isSigned = keys.some((key) => isSignedWith(session, delivery, key));
      expect.that(isSigned, 'an HMAC-SHA256 of the raw body', headerOf(session, delivery, 'signature'));
    }
  },
  async 'webhook.secret-literal'(session) {
    const { found, target } = await deliveries(session);
    for (const delivery of signed(session, found)) {
      const isDecoded = isSignedWith(session, delivery, Buffer.from(target.secret, 'hex'));
      expect.that(!isDecoded, 'the literal secret as the key', 'the hex-decoded secret');
    }
  },
  'webhook.membership-created': (session) => requireEvent(session, 'membership.created'),
  'webhook.membership-updated': (session) => requireEvent(session, 'membership.updated'),
  'webhook.payment-success': expectPaymentSuccess,
  async 'webhook.payment-failed'(session) {
    await declined(session);
    await requireEvent(session, 'payment.failed');
  },
  async 'webhook.digital-product-purchase'(session) {
    await purchased(session);
    await requireEvent(session, 'digital.product.purchase');
  },
  async 'webhook.all-types-delivered'(session) {
    await expectPaymentSuccess(session);
    await declined(session);
    await purchased(session);
    for (const type of TYPES) await requireEvent(session, type);
  },
});

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Maximum size of a body that is kept, in bytes. */
const BODY_LIMIT = 1024 * 1024;
const POLL_MS = 50;

/** Starts a web server on the loopback interface that accepts all deliveries. A tunnel can forward to it. */
async function startReceiver(port: number) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (body.length <= BODY_LIMIT) deliveries.push({ headers: request.headers, body });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    received: (): readonly Delivery[] => [...deliveries],
    /** Waits until a delivery matches. Resolves to `undefined` if none does in time. */
    async waitFor(
      matches: (delivery: Delivery) => boolean,
      timeoutMs: number,
    ): Promise<Delivery | undefined> {
      const end = performance.now() + timeoutMs;
      for (;;) {
        const found = deliveries.find(matches);
        if (found !== undefined || performance.now() > end) return found;
        await setTimeout(POLL_MS);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
