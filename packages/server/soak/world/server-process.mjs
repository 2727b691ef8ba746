// A production server as a process of its own. Its parent sends the options, and later how far its clock is ahead.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import process from 'node:process';
import { startServer } from '@latchkey/server';
import { SEED } from './seed.ts';

process.once('disconnect', () => process.exit());
process.send?.({ loaded: true });
const [{ start }] = await once(process, 'message');
const { isFirst, aheadMs, webhooks, ...options } = start;
let ahead = aheadMs;
const clock = { now: () => Date.now() + ahead };

/** @param {number} amountMinor */
const money = (amountMinor) => [{ label: 'Amount', value: `${amountMinor}` }];
const METHODS = [
  { id: 'pays', name: 'Pays', note: '' },
  { id: 'declines', name: 'Is declined', note: '' },
];

/** @param {{ method: string | null, orderId: string, amountMinor: number, currency: string }} order */
function charge({ method, orderId, amountMinor, currency }) {
  if (method !== 'pays')
    return { kind: /** @type {const} */ ('declined'), reason: /** @type {const} */ ('card_declined') };
  process.send?.({ charged: { orderId, amountMinor, currency } });
  return { kind: /** @type {const} */ ('paid'), reference: orderId };
}

const server = await startServer({
  ...options,
  clock,
  webhookTargets: 'public-and-loopback',
  signInLimits: Object.fromEntries(SEED.limits.map((name) => [name, 1_000_000])),
  logger: {
    info() {},
    warn() {},
    error: (fields, message) => process.send?.({ logged: { message, fields } }),
  },
  mailer: {
    async send({ to, code }) {
      if (code !== undefined) process.send?.({ mail: { to, code } });
    },
  },
  messengerBot: {
    mintInviteLink: async () => `https://messenger.example/${randomBytes(16).toString('hex')}`,
    onJoinRequest() {},
  },
  payments: {
    name: 'soak',
    mode: 'test',
    renewals: 'server',
    disclaimer: 'Nothing is charged.',
    transferDetails: ({ amountMinor }) => money(amountMinor),
    methods: () => METHODS,
    start: async (payment) => charge(payment),
    renew: async (order) => charge(order),
    // Asked for an order without a stored result: its process died, before or after the charge.
    async find(order) {
      const { amountMinor, currency } = order;
      const result = charge(order);
      return result.kind === 'paid' ? { ...result, amountMinor, currency } : result;
    },
    refund: async () => ({ kind: 'refunded' }),
    readEvents: async ({ body }) => [JSON.parse(Buffer.from(body).toString('utf8'))],
  },
});
if (isFirst) await seed();

async function seed() {
  const { operator } = server;
  const { owner, community, plan, drop, product, clients } = SEED;
  await operator.createUser({ id: owner.id, email: owner.email, name: 'Owner' });
  await operator.createCommunity({ ...community, ownerId: owner.id });
  await operator.change('communities', community.id, { messengerBot: 'soak_bot' });
  await operator.createPricingPlan({ ...plan, communityId: community.id, priceMinor: 900 });
  await operator.createDropSlot({ ...drop, communityId: community.id, startsAt: clock.now() - 1000 });
  await operator.createProduct({ ...product, ownerId: owner.id });
  await operator.change('users', owner.id, { mayProvision: true });
  await operator.createApiKey({
    ownerId: owner.id,
    name: 'Soak',
    key: SEED.apiKey,
    permissions: SEED.permissions,
  });
  for (const client of Object.values(clients)) {
    await operator.registerClient({
      ...client,
      ownerId: owner.id,
      name: `Soak ${client.type}`,
      redirectUris: [SEED.redirectUri],
      scopes: ['memberships.read'],
      widgetOrigins: [],
      hostedCallback: false,
    });
  }
  for (const webhook of webhooks) {
    await operator.createWebhook({ ...webhook, ownerId: owner.id, communityId: community.id });
    await operator.createWebhook({ ...webhook, ownerId: owner.id, productId: product.id });
  }
}

process.on('message', (message) => {
  if ('aheadMs' in message) {
    ahead = message.aheadMs;
    process.send?.({ ahead });
  }
  if ('close' in message) void server.close().then(() => process.send?.({ closed: true }));
  if ('memory' in message) {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ memory: { rss, heapUsed } });
  }
});
process.send?.({ port: server.port });
