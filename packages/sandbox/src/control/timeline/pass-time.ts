import { formatTimestamp, type WebhookEventType } from '@latchkey/contract/constants';
import type { Database } from '@latchkey/server/extension';
import type { SimulatedBank } from '../../payments/simulated-bank.js';
import type { Services } from '../../services/services.js';
import {
  codeExpiries,
  dropTurns,
  membershipTurns,
  nextWork,
  type Occasion,
  type OccasionKind,
  type TimeRange,
  tokenExpiries,
} from './occasions.js';

/** How long one move waits for deliveries, in milliseconds of real time. An endpoint that hangs must not block the clock. */
const DELIVERY_PATIENCE_MS = 5_000;
const REPORT_EVERY_MS = 500;
const LISTED = 1_000;

/** Something that happened while the clock moved. */
export interface Happening {
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  /** `event`: a webhook event was recorded. */
  readonly kind: OccasionKind | 'event';
  readonly label: string;
  /** Id of the membership, the drop, the client, the delivery or the event. */
  readonly id: string;
  readonly eventType?: WebhookEventType;
}

/** Moves the clock from one occasion to the next, and runs the work that is due at each. */
export async function passTime(
  services: Services,
  { target, bank, report }: { target: number; bank: SimulatedBank; report: () => void },
): Promise<{ happened: readonly Happening[]; total: number }> {
  const { clock, db } = services;
  const patience = new Patience(DELIVERY_PATIENCE_MS);
  await services.runDueWork();
  let from = clock.now();
  const events = await watchEvents(db, from);
  const fixed = (await fixedOccasions(db, { from, to: target })).map(asHappening);
  const worked: Happening[] = [];
  let total = fixed.length;
  let reportedAt = performance.now();
  // The steps are in order, so later ones never belong among the first entries of the list. Keeping years of renewals
  // would fill the memory.
  const list = (found: readonly Happening[]) => {
    total += found.length;
    worked.push(...found.slice(0, Math.max(0, LISTED - worked.length)));
  };
  while (from < target) {
    const range = { from, to: target };
    const next = earliest(
      await nextWork(db, range, { sendsDeliveries: !patience.isOver }),
      patience.isOver ? undefined : await bank.store.nextDue(range),
    );
    const step = { from, to: next ?? target };
    list((await membershipTurns(db, step, 'membership-end')).map(asHappening));
    clock.moveTo(step.to);
    await services.runDueWork();
    // Read at each step, before old events are deleted.
    list(await events.next());
    await patience.waitFor(async () => {
      await bank.runDue();
      await services.deliverDue();
    });
    from = step.to;
    if (performance.now() - reportedAt < REPORT_EVERY_MS) continue;
    report();
    reportedAt = performance.now();
  }
  const happened = [...fixed, ...worked].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { happened: happened.slice(0, LISTED), total };
}

function earliest(...instants: readonly (number | undefined)[]): number | undefined {
  const known = instants.filter((instant) => instant !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Returns occasions that none of the service's work changes. */
async function fixedOccasions(db: Database, range: TimeRange): Promise<readonly Occasion[]> {
  const lists = await Promise.all([
    codeExpiries(db, range),
    tokenExpiries(db, range, 'access-token-expiry'),
    tokenExpiries(db, range, 'refresh-token-expiry'),
    membershipTurns(db, range, 'membership-start'),
    dropTurns(db, range, 'drop-start'),
    dropTurns(db, range, 'drop-end'),
  ]);
  return lists.flat();
}

/** Waits for work, up to a total time. Work that takes longer continues, but nobody waits for it. */
class Patience {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  get isOver(): boolean {
    return this.#leftMs <= 0;
  }

  async waitFor(work: () => Promise<void>): Promise<void> {
    if (this.isOver) return;
    const started = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#leftMs);
    });
    await Promise.race([work(), over]).finally(() => clearTimeout(timer));
    this.#leftMs -= performance.now() - started;
  }
}

function asHappening({ at, ...occasion }: Occasion): Happening {
  return { at: formatTimestamp(at), ...occasion };
}

/** Watches for events recorded at a given time or later. Leaves out events that already exist. */
async function watchEvents(db: Database, start: number): Promise<{ next(): Promise<readonly Happening[]> }> {
  let since = start;
  const known = new Set((await eventsSince(db, since)).map(({ id }) => id));
  return {
    /** Lists the events since the last call, oldest first. */
    async next() {
      const rows = (await eventsSince(db, since)).filter(({ id }) => !known.has(id));
      for (const { id, created_at } of rows) {
        known.add(id);
        since = Math.max(since, created_at);
      }
      return rows.map(({ id, type, created_at }) => ({
        at: formatTimestamp(created_at),
        kind: 'event',
        label: `The event ${type} is recorded.`,
        id,
        eventType: type,
      }));
    },
  };
}

async function eventsSince(db: Database, since: number) {
  return await db
    .selectFrom('webhook_events')
    .select(['id', 'type', 'created_at'])
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .execute();
}
