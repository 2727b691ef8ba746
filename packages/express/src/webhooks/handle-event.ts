import { isError } from '@latchkey/contract/constants';
import type { Log } from '../platform/log.js';
import type { EventClaim, WebhookEventStore } from '../stores/kit-store.js';
import { type Deadline, LATE } from './deadline.js';
import { claimKeyOf } from './read-event.js';
import type { WebhookEvent } from './webhook-event.js';
import { sourceName, type WebhookSource } from './webhook-secrets.js';

export type EventResult =
  | 'handled'
  /** The event was handled before. */
  | 'duplicate'
  /** Another process is handling the event, so it's unknown whether it has to be delivered again. */
  | 'running'
  /** The handler failed, and the claim was released. */
  | 'failed'
  /** The handler is still running. */
  | 'too_slow'
  /** The store failed, so it's unknown whether the event is new. */
  | 'store_unavailable';

export interface HandleEventOptions {
  handler: (event: WebhookEvent, deadline: Deadline) => unknown;
  source: WebhookSource | undefined;
  store: WebhookEventStore;
  leaseMs: number;
  keepMs: number;
  deadline: Deadline;
  logger: Log;
}

/** Claims an event and runs its handler. Resolves before the deadline. Never rejects. */
export async function handleEvent(event: WebhookEvent, options: HandleEventOptions): Promise<EventResult> {
  const claim = await claimEvent(event, options);
  if (claim === undefined) return 'store_unavailable';
  if (claim.kind !== 'claimed') return claim.kind === 'done' ? 'duplicate' : 'running';
  const { deadline, handler, logger } = options;
  const startedAt = performance.now();
  const running = attempt(async () => handler(event, deadline));
  const finish = (result: Attempt<unknown>, { within }: StoreWait) =>
    result.kind === 'failed'
      ? fail(event, { ...options, token: claim.token, error: result.error, within })
      : complete(event, { ...options, within });
  const result = await deadline.race(running);
  if (result !== LATE) return finish(result, { within: (promise) => deadline.race(promise) });
  logger.error(
    'webhook_handler_slow',
    'A webhook handler is too slow. The response is 503, and the service delivers the event again. The claim lasts until the handler ends. Move long work to a queue.',
    { ...idOf(event), waitedMs: Math.round(performance.now() - startedAt) },
  );
  // The response doesn't depend on the store any more, so there is no time limit.
  void running.then((late) => finish(late, { within: (promise) => promise }));
  return 'too_slow';
}

/** Two sources can use the same id, and a seller must not suppress another's events. */
function keyOf({ id }: WebhookEvent, source: WebhookSource | undefined): string {
  return source === undefined ? claimKeyOf(id) : `${sourceName(source)} ${claimKeyOf(id)}`;
}

async function claimEvent(event: WebhookEvent, options: HandleEventOptions): Promise<EventClaim | undefined> {
  const { source, store, leaseMs, deadline, logger } = options;
  const claiming = attempt(() => store.claim(keyOf(event, source), leaseMs));
  const claim = await deadline.race(claiming);
  if (claim !== LATE && claim.kind === 'succeeded') return claim.value;
  logger.error(
    'event_store_failed',
    'The event store failed to claim a webhook event. The response is 503, and the service delivers the event again. Check that the store is reachable.',
    { ...idOf(event), error: claim === LATE ? 'It did not respond in time.' : describe(claim.error) },
  );
  // A claim that succeeds later must not block the next delivery.
  if (claim === LATE) {
    void claiming.then((late) => {
      if (late.kind === 'succeeded' && late.value.kind === 'claimed')
        return release(event, options, late.value.token);
      return undefined;
    });
  }
  return undefined;
}

async function complete(
  event: WebhookEvent,
  { source, store, keepMs, logger, within }: HandleEventOptions & StoreWait,
): Promise<EventResult> {
  const marked = await within(attempt(() => store.complete(keyOf(event, source), keepMs)));
  // The handler has succeeded, so the response is a success too: another delivery would run it again.
  if (marked === LATE || marked.kind === 'failed') {
    logger.error(
      'event_store_failed',
      'A webhook event was handled, but the event store could not record it. Another delivery would be handled again.',
      { ...idOf(event), error: marked === LATE ? 'It did not respond in time.' : describe(marked.error) },
    );
  }
  return 'handled';
}

async function fail(
  event: WebhookEvent,
  { error, token, within, ...options }: HandleEventOptions & StoreWait & { error: unknown; token: string },
): Promise<EventResult> {
  options.logger.error(
    'webhook_handler_failed',
    'A webhook handler failed. The claim is released, and the service delivers the event again.',
    { ...idOf(event), error: describe(error) },
  );
  await within(release(event, options, token));
  return 'failed';
}

/** Never rejects: a claim that can't be released expires with its lease. */
async function release(
  event: WebhookEvent,
  { source, store, logger }: HandleEventOptions,
  token: string,
): Promise<void> {
  const released = await attempt(() => store.release(keyOf(event, source), token));
  if (released.kind === 'succeeded') return;
  logger.warn(
    'event_store_failed',
    'The claim of a webhook event could not be released. The event can be handled again when the lease expires.',
    { ...idOf(event), error: describe(released.error) },
  );
}

/** How long to wait for the store: until the deadline, or without a limit. */
interface StoreWait {
  within<Value>(promise: Promise<Value>): Promise<Value | typeof LATE>;
}

type Attempt<Value> = { kind: 'succeeded'; value: Value } | { kind: 'failed'; error: unknown };

async function attempt<Value>(run: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { kind: 'succeeded', value: await run() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

const idOf = ({ id, type }: WebhookEvent) => ({ eventId: id, eventType: type });

const describe = (error: unknown) => (isError(error) ? (error.stack ?? error.message) : String(error));
