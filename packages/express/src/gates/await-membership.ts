import { setTimeout as pause } from 'node:timers/promises';
import type { MembershipCache } from '../memberships/membership-cache.js';
import type { CompiledRule } from '../memberships/membership-rule.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/latchkey-error.js';
import type { Session } from '../session/model/session.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import { type Check, catchLatchkeyError, missingMembershipsScope, signedOut } from './checks.js';
import type { AwaitMembershipOptions } from './gate-options.js';
import { PaymentWait, type PaymentWaitContext } from './payment-wait.js';
import type { UnknownMemberships } from './unknown-memberships.js';

const DEFAULT_HOLD_SECONDS = 4;
const DEFAULT_WAIT_SECONDS = 15;
/** Milliseconds between two requests to the service while a request is held. The last value repeats. */
const POLL_PAUSES_MS = [250, 500, 1000];
/** Minimum time to wait for a response of the service, in milliseconds, however short `holdSeconds` is. */
const MIN_PATIENCE_MS = 2_000;

export interface AwaitMembershipContext extends PaymentWaitContext {
  rule: CompiledRule;
  cache: MembershipCache;
  unknownMemberships: UnknownMemberships;
  options: AwaitMembershipOptions;
}

/** Result of polling the service. */
type PollResult =
  /** `fetchedAt` is the time of the memberships. */
  | { kind: 'member'; fetchedAt: number }
  /** `unknown` are memberships that could match if the directory contained them. */
  | { kind: 'not_yet'; unknown: readonly SiteMembership[] }
  | { kind: 'unknown' }
  /** The connection closed. */
  | { kind: 'closed' };

/**
 * Check of `awaitMembership`. A visitor who returns from checkout has paid, but the service may receive the payment later
 * (spec, "Reaching `successUrl` is not proof of payment"). The request is held while the service is polled.
 */
export function checkAwaitedMembership(context: AwaitMembershipContext, exchange: VisitorExchange): Check {
  const { session } = exchange.visitor;
  return catchLatchkeyError(session, async () => {
    const current = await session.current();
    if (current === undefined) return signedOut(session);
    const rejection = missingMembershipsScope(current);
    if (rejection !== undefined) return rejection;
    const { user } = current;
    const result = await poll(context, exchange, current);
    if (result.kind === 'closed') return result;
    const wait = new PaymentWait(context, exchange, user.sub);
    const waitedMs = wait.elapsedMs();
    if (result.kind === 'member') {
      wait.end();
      wait.outdate(result.fetchedAt);
      return { kind: 'allowed' };
    }
    if (waitedMs === undefined) wait.begin();
    // The payment can arrive at any moment, and the visitor can open another page then.
    wait.outdate(context.clock.now());
    const waitMs = (context.options.waitSeconds ?? DEFAULT_WAIT_SECONDS) * 1000;
    if ((waitedMs ?? 0) < waitMs) return { kind: 'payment_pending', user };
    if (result.kind === 'unknown') return { kind: 'unavailable' };
    return {
      kind: 'payment_unconfirmed',
      user,
      ids: context.unknownMemberships.report(user, result.unknown),
    };
  });
}

/** Polls the service until the membership exists or the time is over. */
async function poll(
  context: AwaitMembershipContext,
  exchange: VisitorExchange,
  { user: { sub } }: Session,
): Promise<PollResult> {
  const { cache, rule, options } = context;
  const { response } = exchange;
  const cached = cache.fresh(sub);
  if (cached !== undefined && rule.matches(cached)) return { kind: 'member', fetchedAt: cached.fetchedAt };
  // The connection may have closed while the session was renewed. No event would follow.
  if (response.closed) return { kind: 'closed' };

  const holdMs = (options.holdSeconds ?? DEFAULT_HOLD_SECONDS) * 1000;
  const timers = new AbortController();
  const closed = new Promise<PollResult>((resolve) => {
    response.once('close', () => resolve({ kind: 'closed' }));
  });
  const held = sleep(holdMs, timers.signal).then(() => 'held' as const);
  const timedOut = sleep(Math.max(holdMs, MIN_PATIENCE_MS), timers.signal).then(
    (): PollResult => ({ kind: 'unknown' }),
  );
  try {
    for (let round = 0; ; round += 1) {
      // The listener is added before the request: a change during the request causes another one at once.
      const changed = new ChangeSignal(cache, sub);
      try {
        const result = await Promise.race([askService(context, exchange), timedOut, closed]);
        if (result.kind === 'failed') throw result.error;
        if (result.kind === 'member' || result.kind === 'closed') return result;
        const pauseMs = POLL_PAUSES_MS[Math.min(round, POLL_PAUSES_MS.length - 1)] ?? 0;
        const next = await Promise.race([held, closed, changed.promise, sleep(pauseMs, timers.signal)]);
        if (next === 'held') return result;
        if (next !== undefined) return next;
      } finally {
        changed.stop();
      }
    }
  } finally {
    timers.abort();
  }
}

/** Resolves when the cached memberships of a user are dropped, for example by a webhook. */
class ChangeSignal {
  readonly promise: Promise<void>;
  stop: () => void = () => {};

  constructor(cache: MembershipCache, sub: string) {
    this.promise = new Promise((resolve) => {
      this.stop = cache.onForget(sub, resolve);
    });
  }
}

/** Sends one request. Unexpected errors are returned, because the caller may have stopped waiting. */
async function askService(
  { rule }: AwaitMembershipContext,
  { visitor }: VisitorExchange,
): Promise<PollResult | { kind: 'failed'; error: unknown }> {
  try {
    const snapshot = await visitor.findMemberships({ maxAgeMs: 0, ignoreRecentFailure: true });
    if (rule.matches(snapshot)) return { kind: 'member', fetchedAt: snapshot.fetchedAt };
    return snapshot.stale ? { kind: 'unknown' } : { kind: 'not_yet', unknown: rule.candidates(snapshot) };
  } catch (error) {
    return error instanceof LatchkeyError && error.code === 'service_unavailable'
      ? { kind: 'unknown' }
      : { kind: 'failed', error };
  }
}

/** Resolves after the time, or when the signal aborts. */
async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => {});
}
