import { isLatchkeyApiError, LatchkeyClient, type ProvisionedMembership } from '@latchkey/client';
import express from 'express';

const { PORT = '4409', LATCHKEY_SERVICE_URL = 'http://127.0.0.1:4400' } = process.env;
const COMMUNITY_ID = process.env.LATCHKEY_COMMUNITY_ID ?? '5eed0000-0000-4000-8000-0000000000c0';
/** Token that authenticates the shop. Without this check, anyone could grant themselves a membership. */
const SHOP_TOKEN = process.env.SHOP_TOKEN ?? 'only-for-trying-out';
if (process.env.NODE_ENV === 'production' && !process.env.SHOP_TOKEN) {
  throw new Error('Set SHOP_TOKEN. Anyone with the token can grant memberships, and the default is public.');
}
const DAY_MS = 24 * 3600_000;
const MINUTE_MS = 60_000;

const service = new LatchkeyClient({
  serviceUrl: LATCHKEY_SERVICE_URL,
  // The key stays on this server. The default is the public key of the sandbox.
  apiKey: process.env.LATCHKEY_API_KEY ?? `svc_${'sandbox'.repeat(6)}0`,
});

/** A sale as first reported. In production, store it in a database with the order id as the key. */
interface Sale {
  readonly orderId: string;
  readonly email: string;
  /** Set once, so that a repeated notification sends the same request. */
  readonly validUntil: Date;
  refundedAt?: Date;
  /** Response of the service. Its membershipId is the only reference to the membership. */
  membership?: ProvisionedMembership;
}
const sales = new Map<string, Sale>();

const salesTo = (email: string) => [...sales.values()].filter((sale) => sale.email === email);

/** Handles a sale. Notifications can arrive late or repeatedly, but each order counts once. */
async function onSale(notice: {
  orderId: string;
  email: string;
  days: number;
}): Promise<ProvisionedMembership> {
  const email = notice.email.trim().toLowerCase();
  const sale = sales.get(notice.orderId) ?? { ...notice, email, validUntil: endOf(email, notice.days) };
  sales.set(sale.orderId, sale);
  // The service stores only a buyer's latest order. An order that was followed by a newer one or by its own refund would
  // count again if it was sent again, so the stored response is returned.
  const isSuperseded = sale.refundedAt !== undefined || salesTo(email).at(-1) !== sale;
  if (isSuperseded && sale.membership) return sale.membership;
  sale.membership = await service.provisionExternal({
    communityId: COMMUNITY_ID,
    externalOrderId: `shop-${sale.orderId}`,
    email,
    validUntil: sale.validUntil,
  });
  return sale.membership;
}

/** Adds the days to the end of the buyer's last order. The service only keeps the later of two ends. */
function endOf(email: string, days: number): Date {
  const ends = salesTo(email).map(({ validUntil, refundedAt }) => (refundedAt ?? validUntil).getTime());
  return new Date(Math.max(Date.now(), ...ends) + days * DAY_MS);
}

/** Handles a refund. A membership cannot be deleted, so its period is replaced by one that is over. */
async function onRefund({ orderId }: { orderId: string }): Promise<ProvisionedMembership | undefined> {
  const sale = sales.get(orderId);
  // If a newer order extended the membership, support has to decide.
  if (!sale || salesTo(sale.email).at(-1) !== sale) return undefined;
  // One minute ago, to allow for different clocks. Set once, so that a repeated notification sends the same request.
  sale.refundedAt ??= new Date(Date.now() - MINUTE_MS);
  sale.membership = await service.provisionExternal({
    communityId: COMMUNITY_ID,
    externalOrderId: `shop-${orderId}-refund`,
    email: sale.email,
    onOverlap: 'replace',
    validFrom: new Date(sale.refundedAt.getTime() - DAY_MS),
    validUntil: sale.refundedAt,
  });
  return sale.membership;
}

/** Queue for notifications: the service must receive a buyer's orders in sequence. */
let queue: Promise<unknown> = Promise.resolve();
function enqueue<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = queue.then(work);
  queue = result.catch(() => {});
  return result;
}

const app = express();
app.use((request, response, next) => {
  if (request.get('authorization') === `Bearer ${SHOP_TOKEN}`) next();
  else response.status(401).json({ error: 'The shop’s token is missing or wrong.' });
});
app.use(express.json());

app.post('/sales', async (request, response) => {
  const { orderId, email, days } = request.body ?? {};
  if (typeof orderId !== 'string' || typeof email !== 'string' || !(days > 0)) {
    response.status(400).json({ error: 'orderId, email and days are required.' });
    return;
  }
  response.json(await enqueue(() => onSale({ orderId, email, days })));
});

app.post('/refunds', async (request, response) => {
  const membership = await enqueue(() => onRefund({ orderId: String(request.body?.orderId) }));
  if (membership) response.json(membership);
  else response.status(409).json({ error: 'The order is unknown, or not the latest order of its buyer.' });
});

app.use(((error, _request, response, next) => {
  if (!isLatchkeyApiError(error)) return next(error);
  process.stderr.write(`${error.report}\n`);
  // The client has already retried. After a 503 the shop sends its notification again, with the same order id. A 4xx of
  // the service is final.
  const isFinal = error.code === 'invalid_request' || (error.status ?? 500) < 500;
  response.status(isFinal ? 422 : 503).json({ error: 'The membership could not be granted.' });
}) satisfies express.ErrorRequestHandler);

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
