import type { Logger } from '../logger.js';
import { type Deadline, LATE } from './deadline.js';
import type { EventClaim, WebhookEventStore } from './event-store.js';
import type { WebhookEvent } from './webhook-event.js';

/** What became of an event. */
export type EventOutcome =
  | 'handled'
  /** It had been handled before. */
  | 'duplicate'
  /** Somebody else is handling it: only when they are done anybody knows whether it has to come again. */
  | 'running'
  /** The handler threw; the event was given back. */
  | 'failed'
  /** The handler is still running. */
  | 'too_slow'
  /** The store could not be asked whether the event is new. */
  | 'store_unavailable';

/** What handling an event takes. */
export interface Handling {
  handler: (event: WebhookEvent, deadline: Deadline) => unknown;
  store: WebhookEventStore;
  leaseMs: number;
  keepMs: number;
  deadline: Deadline;
  logger: Logger;
}

/** Claims an event, runs its handler once, and says what became of it before the deadline. Never rejects. */
export async function handleEvent(event: WebhookEvent, handling: Handling): Promise<EventOutcome> {
  const claim = await claimEvent(event, handling);
  if (claim === undefined) return 'store_unavailable';
  if (claim.state !== 'claimed') return claim.state === 'done' ? 'duplicate' : 'running';
  const { deadline, handler, logger } = handling;
  const startedAt = performance.now();
  const running = runHandler(() => handler(event, deadline));
  const finish = (result: HandlerResult, { within }: Patience) =>
    'error' in result
      ? fail(event, { ...handling, ...claim, ...result, within })
      : complete(event, { ...handling, within });
  const result = await deadline.race(running);
  if (result !== LATE) return finish(result, { within: (promise) => deadline.race(promise) });
  logger.error(
    'A webhook handler is taking too long: the sender gets 503 and delivers again. The event stays claimed until the handler ends. Hand long work over to a queue.',
    { ...nameOf(event), waitedMs: Math.round(performance.now() - startedAt) },
  );
  // Nobody waits any more, so the store may take its time.
  void running.then((late) => finish(late, { within: (promise) => promise }));
  return 'too_slow';
}

async function claimEvent(event: WebhookEvent, handling: Handling): Promise<EventClaim | undefined> {
  const { store, leaseMs, deadline, logger } = handling;
  const claiming = attempt(() => store.claim(event.id, leaseMs));
  const claim = await deadline.race(claiming);
  if (claim !== LATE && 'value' in claim) return claim.value;
  logger.error(
    'The event store could not say whether a webhook is new: the sender gets 503 and delivers again. Is the store reachable?',
    { ...nameOf(event), error: claim === LATE ? 'It did not answer in time.' : describe(claim.error) },
  );
  // A claim that comes through after all must not keep the next delivery away.
  if (claim === LATE) {
    void claiming.then((late) => {
      if ('value' in late && late.value.state === 'claimed')
        return giveBack(event, handling, late.value.token);
      return undefined;
    });
  }
  return undefined;
}

async function complete(
  event: WebhookEvent,
  { store, keepMs, logger, within }: Handling & Patience,
): Promise<'handled'> {
  const marked = await within(attempt(() => store.complete(event.id, keepMs)));
  // The handler has done its work, so the sender hears so: another delivery would do it twice.
  if (marked === LATE || 'error' in marked) {
    logger.error(
      'A webhook was handled, and the event store could not be told: another delivery of the event would be handled again.',
      { ...nameOf(event), error: marked === LATE ? 'It did not answer in time.' : describe(marked.error) },
    );
  }
  return 'handled';
}

async function fail(
  event: WebhookEvent,
  { error, token, within, ...handling }: Handling & Patience & { error: unknown; token: string },
): Promise<'failed'> {
  handling.logger.error(
    'A webhook handler failed: the event is given back, and the sender delivers it again.',
    {
      ...nameOf(event),
      error: describe(error),
    },
  );
  await within(giveBack(event, handling, token));
  return 'failed';
}

/** Never rejects: a claim that cannot be released ends with its lease. */
async function giveBack(event: WebhookEvent, { store, logger }: Handling, token: string): Promise<void> {
  const released = await attempt(() => store.release(event.id, token));
  if ('value' in released) return;
  logger.warn(
    'A webhook could not be given back to the event store: it is handled again when its lease is over.',
    {
      ...nameOf(event),
      error: describe(released.error),
    },
  );
}

/** How long somebody waits for the store: until the deadline, or until it has answered. */
interface Patience {
  within<Value>(promise: Promise<Value>): Promise<Value | typeof LATE>;
}

type HandlerResult = { value: unknown } | { error: unknown };

const runHandler = (run: () => unknown): Promise<HandlerResult> => attempt(async () => run());

async function attempt<Value>(run: () => Promise<Value>): Promise<{ value: Value } | { error: unknown }> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}

const nameOf = ({ id, type }: WebhookEvent) => ({ eventId: id, eventType: type });

const describe = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
