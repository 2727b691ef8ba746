import { isLatchkeyApiError, LatchkeyClient, type ProvisionedMembership } from '@latchkey/client';
import express from 'express';

const { PORT = '4409', LATCHKEY_SERVICE_URL = 'http://127.0.0.1:4400' } = process.env;
const COMMUNITY_ID = process.env.LATCHKEY_COMMUNITY_ID ?? '5eed0000-0000-4000-8000-0000000000c0';
/** What the shop proves its notifications with. Without such a check anybody could grant themselves a membership. */
const SHOP_TOKEN = process.env.SHOP_TOKEN ?? 'only-for-trying-out';
if (process.env.NODE_ENV === 'production' && !process.env.SHOP_TOKEN) {
  throw new Error(
    'Set SHOP_TOKEN: whoever knows it gives memberships away, and everybody can read the default.',
  );
}
const DAY_MS = 24 * 3600_000;
const MINUTE_MS = 60_000;

const service = new LatchkeyClient({
  serviceUrl: LATCHKEY_SERVICE_URL,
  // Stays on this server. The default is the sandbox's key, which everybody may know.
  apiKey: process.env.LATCHKEY_API_KEY ?? `svc_${'sandbox'.repeat(6)}0`,
});

/** A sale as it was first heard of. In earnest a row of a database, with the order id as its key. */
interface Sale {
  readonly orderId: string;
  readonly email: string;
  /** Fixed when the sale is first heard of: whoever hears of it again must ask for the same. */
  readonly validUntil: Date;
  refundedAt?: Date;
  /** What the service answered; its membershipId is the only handle on the membership. */
  membership?: ProvisionedMembership;
}
const sales = new Map<string, Sale>();

const salesTo = (email: string) => [...sales.values()].filter((sale) => sale.email === email);

/** A sale was made in the shop. Notifications come late and come twice; each order counts once. */
async function onSale(notice: {
  orderId: string;
  email: string;
  days: number;
}): Promise<ProvisionedMembership> {
  const email = notice.email.trim().toLowerCase();
  const sale = sales.get(notice.orderId) ?? { ...notice, email, validUntil: endOf(email, notice.days) };
  sales.set(sale.orderId, sale);
  // The service remembers a buyer's latest order alone. One that something newer followed, be it the order's own refund, is
  // answered from here: sent again, it would count again.
  const isFollowed = sale.refundedAt !== undefined || salesTo(email).at(-1) !== sale;
  if (isFollowed && sale.membership) return sale.membership;
  sale.membership = await service.provisionExternal({
    communityId: COMMUNITY_ID,
    externalOrderId: `shop-${sale.orderId}`,
    email,
    validUntil: sale.validUntil,
  });
  return sale.membership;
}

/** The service keeps the later of two ends and adds nothing up: days that follow others are counted here. */
function endOf(email: string, days: number): Date {
  const ends = salesTo(email).map(({ validUntil, refundedAt }) => (refundedAt ?? validUntil).getTime());
  return new Date(Math.max(Date.now(), ...ends) + days * DAY_MS);
}

/** A sale was taken back. Nothing deletes a membership: a window that is over takes the place of the one it has. */
async function onRefund({ orderId }: { orderId: string }): Promise<ProvisionedMembership | undefined> {
  const sale = sales.get(orderId);
  // What a newer order has extended is for its buyer's support to settle.
  if (!sale || salesTo(sale.email).at(-1) !== sale) return undefined;
  // A minute ago: two clocks differ by less. Fixed as well, for whoever hears of it again.
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

/** One notification at a time: a buyer's orders must reach the service in their order. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = turn.then(work);
  turn = result.catch(() => {});
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
    response.status(400).json({ error: 'orderId, email and days are needed.' });
    return;
  }
  response.json(await inTurn(() => onSale({ orderId, email, days })));
});

app.post('/refunds', async (request, response) => {
  const membership = await inTurn(() => onRefund({ orderId: String(request.body?.orderId) }));
  if (membership) response.json(membership);
  else response.status(409).json({ error: 'Unknown, or not the latest order of its buyer.' });
});

app.use(((error, _request, response, next) => {
  if (!isLatchkeyApiError(error)) return next(error);
  process.stderr.write(`${error.report}\n`);
  // The client has repeated what it may. 503 has the shop send its notification again, under the same order id; a 4xx of
  // the service will be the same next time.
  const isFinal = error.code === 'invalid_request' || (error.status ?? 500) < 500;
  response.status(isFinal ? 422 : 503).json({ error: 'The membership could not be granted.' });
}) satisfies express.ErrorRequestHandler);

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
