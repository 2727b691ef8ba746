import { setTimeout as pause } from 'node:timers/promises';
import { comparableId } from '@latchkey/contract/constants';
import { startPath } from '../http/app-url.js';
import { clearCookie, markedMsAgo, setCookie, setMark } from '../http/cookies.js';
import { sendError } from '../http/json-error.js';
import { english } from '../http/language.js';
import { sendPlainPage } from '../http/plain-page.js';
import { isSpeculative } from '../http/request-kind.js';
import { FRESH_MS } from '../memberships/membership-cache.js';
import type { CompiledRule } from '../memberships/membership-rule.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/errors.js';
import type { Session } from '../session/session.js';
import { RECHECK_TOLERANCE_MS, type Visit } from '../session/visitor.js';
import { sendNotOpened } from '../sign-in/endpoint-table.js';
import { isNavigation, safeAddress } from '../sign-in/return-to.js';
import {
  type Check,
  catchLatchkeyError,
  missingMembershipsScope,
  type Rejection,
  signedOut,
} from './checks.js';
import type { AwaitMembershipOptions, GateKit } from './gate-options.js';
import { PAYMENT_PENDING, PAYMENT_UNCONFIRMED, unconfirmedMembershipTexts } from './rejection-texts.js';

const DEFAULT_HOLD_SECONDS = 4;
const DEFAULT_WAIT_SECONDS = 15;
/** Pauses between two requests to the service while a request is held, in milliseconds. The last value repeats. */
const POLL_PAUSES_MS = [250, 500, 1000];
/** Minimum time to wait for a response from the service, in milliseconds, however short `holdSeconds` is. */
const MIN_PATIENCE_MS = 2_000;

export interface AwaitingGate {
  kit: GateKit;
  rule: CompiledRule;
  options: AwaitMembershipOptions;
}

type PollResult =
  /** `fetchedAt` is when the memberships were read. */
  | { kind: 'member'; fetchedAt: number }
  /** `unknown` are memberships that could match if the directory contained them. */
  | { kind: 'not_yet'; unknown: readonly SiteMembership[] }
  | { kind: 'unknown' }
  | { kind: 'closed' };

/**
 * The check of `awaitMembership`. A visitor who returns from checkout has paid, but the service may receive the payment
 * later (spec, "Reaching `successUrl` is not proof of payment"). The request is held while the service is polled.
 */
export function checkAwaitedMembership(gate: AwaitingGate, visit: Visit): Check {
  const { session } = visit.visitor;
  return catchLatchkeyError(session, async () => {
    const current = await session.current();
    if (current === undefined) return signedOut(session);
    const rejection = missingMembershipsScope(current);
    if (rejection !== undefined) return rejection;
    const { user } = current;
    const result = await poll(gate, visit, current);
    if (result.kind === 'closed') return result;
    const wait = paymentWait(gate.kit, visit, user.sub);
    if (result.kind === 'member') {
      wait.end();
      wait.outdate(result.fetchedAt);
      return { kind: 'allowed' };
    }
    if (wait.elapsedMs === undefined) wait.begin();
    // The payment can arrive at any moment, and the visitor can then open another page.
    wait.outdate(gate.kit.clock.now());
    const waitMs = (gate.options.waitSeconds ?? DEFAULT_WAIT_SECONDS) * 1000;
    if ((wait.elapsedMs ?? 0) < waitMs) return { kind: 'payment_pending', user };
    if (result.kind === 'unknown') return { kind: 'unavailable' };
    return {
      kind: 'payment_unconfirmed',
      user,
      ids: gate.kit.unknownMemberships.report(user, result.unknown),
    };
  });
}

/** Polls the service until the membership exists or the time is over. */
async function poll(gate: AwaitingGate, visit: Visit, { user: { sub } }: Session): Promise<PollResult> {
  const { rule, options } = gate;
  const { memberships: cache } = gate.kit;
  const { response } = visit;
  const cached = cache.fresh(sub);
  if (cached !== undefined && rule.matches(cached)) return { kind: 'member', fetchedAt: cached.fetchedAt };
  if (isSpeculative(visit.request)) {
    sendNotOpened(visit);
    return { kind: 'closed' };
  }
  // The connection may have closed while the session was renewed, and no event would follow.
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
      // The listener is added before the request, so a change during the request causes another one at once.
      let stopListening = () => {};
      const changed = new Promise<void>((resolve) => (stopListening = cache.onForget(sub, resolve)));
      try {
        const result = await Promise.race([askService(gate, visit), timedOut, closed]);
        if (result.kind === 'failed') throw result.error;
        if (result.kind === 'member' || result.kind === 'closed') return result;
        const pauseMs = POLL_PAUSES_MS[Math.min(round, POLL_PAUSES_MS.length - 1)] ?? 0;
        const next = await Promise.race([held, closed, changed, sleep(pauseMs, timers.signal)]);
        if (next === 'held') return result;
        if (next !== undefined) return next;
      } finally {
        stopListening();
      }
    }
  } finally {
    timers.abort();
  }
}

/** Sends one request. Returns unexpected errors instead of throwing: the caller may have stopped waiting. */
async function askService(
  { rule }: AwaitingGate,
  { visitor }: Visit,
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

/** When a visitor who returns to the page starts a new waiting time, in milliseconds. */
const WAIT_COOKIE_LIFETIME_MS = 10 * 60_000;

/** How long a process may still have memberships from before the admission in its cache, in seconds. */
const RECHECK_SECONDS = (FRESH_MS + RECHECK_TOLERANCE_MS) / 1000;

/**
 * How long ago a visitor first opened the page of `awaitMembership`. Any process can receive the next request, so it's
 * kept in a cookie. The cookie isn't signed: changing it only changes the waiting time.
 */
function paymentWait(
  { clock, waitCookie, recheckCookie }: GateKit,
  { request, response, visitor }: Visit,
  sub: string,
) {
  const [path] = visitor.publicPath.split('?', 1);
  // Each user waits separately.
  const mark = {
    ...waitCookie,
    key: `${comparableId(sub)} ${path}`,
    lifetimeMs: WAIT_COOKIE_LIFETIME_MS,
  };
  const elapsedMs = markedMsAgo(request.headers.cookie, mark, clock.now());
  return {
    /** How long this user has waited on this page, in milliseconds. Undefined on the first request. */
    elapsedMs,
    begin: () => response.append('Set-Cookie', setMark(mark, clock.now())),
    /** Ends the wait of an admitted visitor. */
    end: () => elapsedMs !== undefined && response.append('Set-Cookie', clearCookie(waitCookie)),
    /** Keeps all processes from using this visitor's memberships from before `time`, in milliseconds since the epoch. */
    outdate: (time: number) =>
      response.append('Set-Cookie', setCookie(recheckCookie, time.toString(36), RECHECK_SECONDS)),
  };
}

/** Seconds between two loads of a page that reloads itself. */
const RELOAD_SECONDS = 2;

type PaymentRejection = Extract<Rejection, { kind: 'payment_pending' | 'payment_unconfirmed' }>;

/**
 * Sends the page of `awaitMembership`. It offers no plan, since the visitor has probably paid. Scripts receive 503 with
 * `Retry-After` while the payment is pending, and 403 afterwards.
 */
export async function sendPaymentPage(
  { app, pages }: GateKit,
  visit: Visit,
  { rejection, wantsHtml }: { rejection: PaymentRejection; wantsHtml: boolean },
): Promise<void> {
  const { visitor, request, response } = visit;
  const isPending = rejection.kind === 'payment_pending';
  const { user } = rejection;
  const membershipIds = rejection.kind === 'payment_unconfirmed' ? rejection.ids : [];
  const { title, message, hint, label } = isPending ? PAYMENT_PENDING : PAYMENT_UNCONFIRMED;
  const t = wantsHtml ? visitor.textsFor(pages.awaiting) : english;
  const unknown = unconfirmedMembershipTexts(t, membershipIds);
  if (isPending) response.setHeader('Retry-After', `${RELOAD_SECONDS}`);
  if (!wantsHtml) {
    if (isPending) {
      return sendError(response, 503, { error: 'membership_pending', message: 'Not confirmed yet.' });
    }
    return membershipIds.length === 0
      ? sendError(response, 403, { error: 'membership_required', message })
      : sendError(response, 403, { error: 'membership_unknown', message: unknown.message, membershipIds });
  }
  if (isPending && isNavigation(visit)) response.setHeader('Refresh', `${RELOAD_SECONDS}`);
  const start = startPath(app);
  const { publicPath } = visitor;
  const retryUrl = safeAddress(publicPath, app) === undefined ? start : publicPath;
  response.status(202);
  if (pages.awaiting !== undefined) {
    const state = isPending ? 'waiting' : 'unconfirmed';
    await pages.awaiting(request, response, {
      state,
      message: t(message),
      user,
      retryUrl,
      ...(membershipIds.length === 0 ? {} : { membershipIds }),
    });
    return;
  }
  sendPlainPage(response, t, {
    title: t(title),
    paragraphs:
      membershipIds.length === 0
        ? [t(message), t(hint)]
        : [unknown.lead, ...membershipIds.map((code) => ({ code })), unknown.hint],
    link: { href: retryUrl, label: t(label) },
    ...(isPending ? {} : { otherLink: { href: start, label: t('Go to the start page') } }),
  });
}
