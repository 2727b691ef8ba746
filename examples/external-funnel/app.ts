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
const DAYS_MAX = 3660;

const service = new LatchkeyClient({
  serviceUrl: LATCHKEY_SERVICE_URL,
  // The key stays on this server. The default is the public key of the sandbox.
  apiKey: process.env.LATCHKEY_API_KEY ?? `svc_${'sandbox'.repeat(6)}0`,
});

/** A sale that was granted, or may have been. In production, store it in a database with the order id as the key. */
interface Sale {
  readonly orderId: string;
  readonly email: string;
  /** Set once, so that a repeated notification sends the same request. */
  readonly validUntil: Date;
  /** Period that replaces the membership's after a refund. Set once. */
  refund?: { readonly validFrom: Date; readonly validUntil: Date };
  /** Response of the service. Its membershipId is the only reference to the membership. */
  membership?: ProvisionedMembership;
}
const sales = new Map<string, Sale>();
/** Orders that were refunded before they were granted. They are never granted. */
const cancelled = new Set<string>();

const salesTo = (email: string) => [...sales.values()].filter((sale) => sale.email === email);

/** Handles a sale. Notifications can arrive late or repeatedly, but each order counts once. */
async function onSale(notice: {
  orderId: string;
  email: string;
  days: number;
}): Promise<ProvisionedMembership | undefined> {
  if (cancelled.has(notice.orderId)) return undefined;
  const email = notice.email.trim().toLowerCase();
  const sale = sales.get(notice.orderId) ?? {
    ...{ orderId: notice.orderId, email },
    // The service only keeps the later of two ends, so the days are added to the end of the buyer's other orders.
    validUntil: new Date(Math.max(Date.now(), endOf(salesTo(email))) + notice.days * DAY_MS),
  };
  sales.set(sale.orderId, sale);
  // The service stores only a buyer's latest order. An order that was followed by a newer one or by its own refund would
  // count again if it was sent again, so the stored response is returned.
  const isSuperseded = sale.refund !== undefined || salesTo(email).at(-1) !== sale;
  if (isSuperseded && sale.membership) return sale.membership;
  return grant(sale);
}

/** Sends a sale. An order that the service finally rejects is forgotten, because it gave the buyer nothing. */
async function grant(sale: Sale): Promise<ProvisionedMembership> {
  try {
    sale.membership = await service.provisionExternal({
      communityId: COMMUNITY_ID,
      externalOrderId: `shop-${sale.orderId}`,
      email: sale.email,
      validUntil: sale.validUntil,
    });
    return sale.membership;
  } catch (error) {
    if (isFinal(error) && sale.membership === undefined) sales.delete(sale.orderId);
    throw error;
  }
}

/** True if a repeated request would fail again, and the service stored nothing. */
function isFinal(error: unknown): boolean {
  if (!isLatchkeyApiError(error) || error.outcomeUnknown) return false;
  return error.code === 'invalid_request' || (error.status ?? 500) < 500;
}

/** End of the access that these sales give together, in milliseconds. 0 if they give none. */
function endOf(list: readonly Sale[]): number {
  return Math.max(0, ...list.map(({ validUntil, refund }) => (refund?.validUntil ?? validUntil).getTime()));
}

/** Handles a refund. A membership cannot be deleted, so its period is replaced by the one without this order. */
async function onRefund(sale: Sale): Promise<ProvisionedMembership | undefined> {
  // The response of the sale may be lost. After the same request again, it is known if there is something to take back.
  if (sale.membership === undefined) {
    try {
      await grant(sale);
    } catch (error) {
      if (!isFinal(error)) throw error;
      cancelled.add(sale.orderId);
      return undefined;
    }
  }
  // The buyer keeps the days of earlier orders. Without any, the period ended a minute ago, to allow for different clocks.
  const past = Date.now() - MINUTE_MS;
  sale.refund ??= {
    validFrom: new Date(past - DAY_MS),
    validUntil: new Date(Math.max(past, endOf(salesTo(sale.email).filter((other) => other !== sale)))),
  };
  sale.membership = await service.provisionExternal({
    communityId: COMMUNITY_ID,
    externalOrderId: `shop-${sale.orderId}-refund`,
    email: sale.email,
    onOverlap: 'replace',
    ...sale.refund,
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
  const hasDays = typeof days === 'number' && days > 0 && days <= DAYS_MAX;
  if (typeof orderId !== 'string' || typeof email !== 'string' || !hasDays) {
    response.status(400).json({ error: `orderId, email and days (at most ${DAYS_MAX}) are required.` });
    return;
  }
  const membership = await enqueue(() => onSale({ orderId, email, days }));
  response.json(membership ?? { status: 'cancelled' });
});

app.post('/refunds', async (request, response) => {
  const { orderId } = request.body ?? {};
  if (typeof orderId !== 'string') {
    response.status(400).json({ error: 'orderId is required.' });
    return;
  }
  await enqueue(async () => {
    const sale = sales.get(orderId);
    if (sale === undefined) {
      // The notification of the sale may arrive later.
      cancelled.add(orderId);
      response.json({ status: 'cancelled' });
    } else if (salesTo(sale.email).at(-1) !== sale) {
      response.status(409).json({ error: 'The buyer has a newer order, so support has to decide.' });
    } else {
      response.json((await onRefund(sale)) ?? { status: 'cancelled' });
    }
  });
});

app.use(((error, _request, response, next) => {
  if (!isLatchkeyApiError(error)) return next(error);
  process.stderr.write(`${error.report}\n`);
  // The client has already retried. After a 503 the shop sends its notification again, with the same order id.
  response.status(isFinal(error) ? 422 : 503).json({ error: 'The membership could not be granted.' });
}) satisfies express.ErrorRequestHandler);

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`http://localhost:${PORT}\n`));
