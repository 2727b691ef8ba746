import { createHmac } from 'node:crypto';
import { type Fault, type ProxiedRequest, unchanged } from './fault.js';

const without = (header: string) => (delivery: ProxiedRequest) => {
  const { [header]: _removed, ...headers } = delivery.headers;
  return { ...delivery, headers };
};

const typeOf = ({ headers }: ProxiedRequest) => headers['x-svc-event-type'];

/** Faults in the deliveries of webhooks. */
export const WEBHOOK_FAULTS: readonly Fault[] = [
  {
    name: 'no signature',
    breaks: 'webhook.signature-header',
    handler: unchanged,
    delivery: without('x-svc-signature'),
  },
  {
    name: 'no event type in the headers',
    breaks: 'webhook.event-type-header',
    handler: unchanged,
    delivery: without('x-svc-event-type'),
  },
  {
    name: 'no event id in the headers',
    breaks: 'webhook.event-id-header',
    handler: unchanged,
    delivery: without('x-svc-event-id'),
  },
  {
    name: 'the hex-decoded secret as the key',
    breaks: 'webhook.secret-literal',
    handler: unchanged,
    delivery(delivery, secret) {
      const signature = createHmac('sha256', Buffer.from(secret, 'hex')).update(delivery.body).digest('hex');
      return { ...delivery, headers: { ...delivery.headers, 'x-svc-signature': signature } };
    },
  },
  {
    name: 'a signature of other bytes than the body',
    breaks: 'webhook.signature-raw-body',
    handler: unchanged,
    delivery: (delivery) => ({ ...delivery, body: JSON.stringify(JSON.parse(delivery.body), null, 1) }),
  },
  {
    name: 'no payment.success',
    breaks: 'webhook.payment-success',
    coupled: { 'webhook.all-types-delivered': 'one of the five types is missing' },
    handler: unchanged,
    delivery: (delivery) => (typeOf(delivery) === 'payment.success' ? undefined : delivery),
  },
  {
    name: 'no signature of payment.success',
    breaks: 'webhook.signature-header',
    handler: unchanged,
    delivery: (delivery) =>
      typeOf(delivery) === 'payment.success' ? without('x-svc-signature')(delivery) : delivery,
  },
  {
    name: 'another secret for membership.updated',
    breaks: 'webhook.signature-raw-body',
    handler: unchanged,
    delivery(delivery) {
      if (typeOf(delivery) !== 'membership.updated') return delivery;
      const signature = createHmac('sha256', 'another secret').update(delivery.body).digest('hex');
      return { ...delivery, headers: { ...delivery.headers, 'x-svc-signature': signature } };
    },
  },
  {
    name: 'one event id for all events',
    breaks: 'webhook.event-id-header',
    handler: unchanged,
    delivery: (delivery) => ({ ...delivery, headers: { ...delivery.headers, 'x-svc-event-id': 'event-1' } }),
  },
];
