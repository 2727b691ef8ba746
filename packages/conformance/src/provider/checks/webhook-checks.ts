import { createHmac } from 'node:crypto';
import { webhookHeadersOf } from '@latchkey/contract/constants';
import { provision } from '../calls/api-key-calls.js';
import { inDays } from '../calls/shared-observations.js';
import { Missing } from '../outcome/outcome-errors.js';
import { expectThat, requireFixture, requireSuccess } from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';
import { type Delivery, type Receiver, startReceiver } from '../webhooks/receiver.js';
import { buy } from './checkout-observations.js';

const TYPES = [
  'membership.created',
  'membership.updated',
  'payment.success',
  'payment.failed',
  'digital.product.purchase',
];

interface Webhook {
  readonly receiver: Receiver;
  readonly url: string;
  readonly secret: string;
  readonly timeoutMs: number;
  /** Absent if the fixtures name a webhook. */
  readonly webhookId?: string;
}

/** A webhook that delivers to the checks. */
function webhook(session: Session): Promise<Webhook> {
  return session.once('webhook', async () => {
    const settings = requireFixture(session.fixtures.webhook, 'webhook');
    const receiver = await startReceiver(settings.port);
    session.onClose(() => receiver.close());
    const url = settings.url ?? `http://127.0.0.1:${receiver.port}/`;
    const timeoutMs = settings.timeoutSeconds * 1_000;
    if (settings.secret !== undefined) return { receiver, url, timeoutMs, secret: settings.secret };
    const { webhookId, secret } = await session.drive('createWebhook', { url });
    return { receiver, url, timeoutMs, secret, webhookId };
  });
}

/** Causes one event of each type. */
function events(session: Session): Promise<Webhook> {
  return session.once('events', async () => {
    const target = await webhook(session);
    const email = session.newEmail();
    requireSuccess(await provision(session, { email, validUntil: await inDays(session, 30) }));
    requireSuccess(await provision(session, { email }));
    return target;
  });
}

/** Header of a delivery under the names of the service. */
function headerOf(
  session: Session,
  delivery: Delivery,
  name: 'signature' | 'eventType' | 'eventId',
): string | undefined {
  const value = delivery.headers[webhookHeadersOf(session.fixtures.serviceNames)[name].toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

/** Type of an event by its header, or by a field of its body if the header is missing. */
function typeOf(session: Session, delivery: Delivery): string | undefined {
  return (
    headerOf(session, delivery, 'eventType') ?? TYPES.find((type) => delivery.body.includes(`"${type}"`))
  );
}

/** Any delivery. */
function anyDelivery(session: Session): Promise<{ delivery: Delivery; target: Webhook }> {
  return session.once('any delivery', async () => {
    const target = await events(session);
    const delivery = await target.receiver.waitFor(() => true, target.timeoutMs);
    if (delivery === undefined) throw new Missing('precondition: no delivery arrived');
    return { delivery, target };
  });
}

/** True if an event of the type arrives in time. */
function arrives(session: Session, type: string): Promise<boolean> {
  return session.once(`event ${type}`, async () => {
    const { receiver, timeoutMs } = await events(session);
    const found = await receiver.waitFor((delivery) => typeOf(session, delivery) === type, timeoutMs);
    return found !== undefined;
  });
}

async function expectEvent(session: Session, type: string): Promise<void> {
  expectThat(await arrives(session, type), `a delivery of ${type}`, 'none');
}

function paid(session: Session) {
  return session.once('payment event', async () => {
    await events(session);
    await buy(session, {});
  });
}

function declined(session: Session) {
  return session.once('payment failure', async () => {
    await events(session);
    await buy(session, {}, 'declined');
  });
}

function purchased(session: Session) {
  return session.once('product purchase', async () => {
    const { url } = await events(session);
    const email = session.newEmail();
    requireSuccess(await provision(session, { email }));
    await session.drive('buyProduct', { email, webhookUrl: url });
  });
}

/** Encodings of a signature. The specification does not name one. */
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

export const webhookChecks = checksOf('write', {
  async 'webhook.secret-format'(session) {
    const { secret } = await webhook(session);
    expectThat(/^[0-9a-f]{64}$/i.test(secret), '64 hex characters', `${secret.length} characters`);
  },
  async 'webhook.secret-shown'(session) {
    const { webhookId, secret } = await webhook(session);
    if (webhookId === undefined) throw new Missing('needs fixtures.driver with the action createWebhook');
    const saved = await session.drive('saveWebhook', { webhookId });
    expectThat(saved.secret === secret, 'the same secret after saving the webhook again', 'another one');
  },
  async 'webhook.signature-header'(session) {
    const { delivery } = await anyDelivery(session);
    expectThat(
      headerOf(session, delivery, 'signature') !== undefined,
      'the signature header',
      Object.keys(delivery.headers),
    );
  },
  async 'webhook.event-type-header'(session) {
    const { delivery } = await anyDelivery(session);
    const type = headerOf(session, delivery, 'eventType');
    expectThat(TYPES.includes(type ?? ''), `one of ${TYPES.join(', ')}`, type);
  },
  async 'webhook.event-id-header'(session) {
    const { delivery } = await anyDelivery(session);
    const id = headerOf(session, delivery, 'eventId');
    expectThat(id !== undefined && id !== '', 'the header with the event id', id);
  },
  async 'webhook.signature-raw-body'(session) {
    const { delivery, target } = await anyDelivery(session);
    if (headerOf(session, delivery, 'signature') === undefined)
      throw new Missing('precondition: no signature');
    const keys = [target.secret, Buffer.from(target.secret, 'hex')];
    const isSigned = keys.some((key) => isSignedWith(session, delivery, key));
    expectThat(isSigned, 'an HMAC-SHA256 of the raw body', headerOf(session, delivery, 'signature'));
  },
  async 'webhook.secret-literal'(session) {
    const { delivery, target } = await anyDelivery(session);
    const isDecoded = isSignedWith(session, delivery, Buffer.from(target.secret, 'hex'));
    expectThat(!isDecoded, 'the literal secret as the key', 'the hex-decoded secret');
  },
  async 'webhook.membership-created'(session) {
    await expectEvent(session, 'membership.created');
  },
  async 'webhook.membership-updated'(session) {
    await expectEvent(session, 'membership.updated');
  },
  async 'webhook.payment-success'(session) {
    await paid(session);
    await expectEvent(session, 'payment.success');
  },
  async 'webhook.payment-failed'(session) {
    await declined(session);
    await expectEvent(session, 'payment.failed');
  },
  async 'webhook.digital-product-purchase'(session) {
    await purchased(session);
    await expectEvent(session, 'digital.product.purchase');
  },
  async 'webhook.all-types-delivered'(session) {
    await paid(session);
    await declined(session);
    await purchased(session);
    for (const type of TYPES) await expectEvent(session, type);
  },
});
