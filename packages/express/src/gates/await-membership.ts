import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { NextFunction } from 'express';
import { forbidCaching, sendError } from '../answer.js';
import { clearCookie, readCookie, setCookie } from '../cookies.js';
import { LatchkeyError } from '../latchkey-error.js';
import type { AwaitingDetails } from '../pages/latchkey-pages.js';
import { sendPlainPage } from '../pages/plain-page.js';
import type { RouteContext } from '../routes/kit-route.js';
import type { Session } from '../session/session.js';
import { safeAddress } from '../sign-in/return-to.js';
import { answering, grantsMemberships } from './gate.js';
import { askForScopes, askToSignIn, reportOutage } from './gate-answers.js';
import { type GateOptions, isPageVisit, wantsHtml } from './gate-options.js';
import type { MembershipPredicate, MembershipRule } from './membership-rule.js';

/** Options of `awaitMembership`. */
export interface AwaitMembershipOptions extends GateOptions {
  /** One request is held back this long at most, while the service is asked again and again. Default 4 seconds. */
  holdSeconds?: number | undefined;
  /** A page loads itself again until this long after the visitor came back. Default 15 seconds. */
  waitSeconds?: number | undefined;
}

/** `awaitMembership` as it was set up. */
export interface AwaitGate {
  readonly rule: MembershipRule;
  readonly passes: MembershipPredicate;
  readonly options: AwaitMembershipOptions;
}

const DEFAULT_HOLD_SECONDS = 4;
const DEFAULT_WAIT_SECONDS = 15;
/** Pause between two requests of a page that loads itself again, in seconds. */
const REFRESH_SECONDS = 2;
/** While it is held back, a request asks the service after these pauses, in milliseconds; the last one repeats. */
const PAUSES_MS = [250, 500, 1000];
/** An answer of the service is waited for at least this long, however short a request is held back. */
const SHORTEST_PATIENCE_MS = 2_000;
/** After this, a visitor who comes again waits anew. */
const WAIT_REMEMBERED_MS = 10 * 60_000;

/** What asking again and again came to. `left`: nobody is there any more to hear it. */
type Finding = 'member' | 'not_yet' | 'unknown' | 'left';

/**
 * Back from checkout: the visitor has paid, but the service may hear of it later than the browser (spec, "Reaching
 * `successUrl` is not proof of payment"). Asks until the membership is there, and offers nobody a plan meanwhile.
 */
export function passAwaited(context: RouteContext, gate: AwaitGate, next: NextFunction): unknown {
  const { kit, visit, response } = context;
  forbidCaching(response);
  return answering(context, gate, async () => {
    const session = await visit.current();
    if (session === undefined) return askToSignIn(context, gate.options);
    if (!grantsMemberships(session))
      return askForScopes(context, gate.options, { session, missing: ['memberships.read'] });
    const finding = await watch(context, gate, session);
    if (finding === 'left') return;
    const waitedMs = waitedFor(context, session);
    if (finding === 'member') {
      if (waitedMs !== undefined) response.append('Set-Cookie', clearCookie(kit.waitCookie));
      return next();
    }
    if (waitedMs === undefined) beginWait(context, session);
    const waitMs = (gate.options.waitSeconds ?? DEFAULT_WAIT_SECONDS) * 1000;
    if ((waitedMs ?? 0) < waitMs) return askForPatience(context, gate, session);
    if (finding === 'unknown') return reportOutage(context, gate.options);
    await admitDelay(context, gate, session);
  });
}

/** Asks the service, holding the request back, until the membership is there or the time is over. */
async function watch(context: RouteContext, gate: AwaitGate, session: Session): Promise<Finding> {
  const { kit, response } = context;
  const { sub } = session.user;
  const known = kit.memberships.peek(sub);
  if (known !== undefined && gate.passes(known.memberships)) return 'member';
  // Whose session had to be renewed first may have given up by now, and is not heard of again.
  if (response.closed) return 'left';

  const holdMs = (gate.options.holdSeconds ?? DEFAULT_HOLD_SECONDS) * 1000;
  const end = new AbortController();
  const left = new Promise<'left'>((resolve) => response.once('close', () => resolve('left')));
  const held = sleep(holdMs, end.signal).then(() => 'held' as const);
  const outOfPatience = sleep(Math.max(holdMs, SHORTEST_PATIENCE_MS), end.signal).then(
    () => 'unknown' as const,
  );
  let cleared = Promise.resolve();
  const listen = () => {
    let stop = () => {};
    cleared = new Promise((resolve) => {
      stop = kit.memberships.watch(sub, resolve);
    });
    return stop;
  };
  try {
    for (let round = 0; ; round += 1) {
      // From before the question on: what becomes known while it is under way is asked for again at once.
      const stopListening = listen();
      try {
        const finding = await Promise.race([ask(context, gate), outOfPatience, left]);
        if (typeof finding !== 'string') throw finding.error;
        if (finding === 'member' || finding === 'left') return finding;
        const pauseMs = PAUSES_MS[Math.min(round, PAUSES_MS.length - 1)] ?? 0;
        const reason = await Promise.race([held, left, cleared, sleep(pauseMs, end.signal)]);
        if (reason === 'held') return finding;
        if (reason === 'left') return reason;
      } finally {
        stopListening();
      }
    }
  } finally {
    end.abort();
  }
}

/** Asks once. An error that is none of the service's is handed over: perhaps nobody waits for it any more. */
async function ask({ visit }: RouteContext, { passes }: AwaitGate): Promise<Finding | { error: unknown }> {
  try {
    const { memberships, stale } = await visit.membershipAnswer({ maxAgeMs: 0, insist: true });
    if (passes(memberships)) return 'member';
    return stale ? 'unknown' : 'not_yet';
  } catch (error) {
    return error instanceof LatchkeyError && error.code === 'service_unavailable' ? 'unknown' : { error };
  }
}

/** Resolves after a while, or at once when it is called off. */
async function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal }).catch(() => {});
}

/** A page that loads itself again; a script is told when to ask again, with a status that it takes for no yes. */
async function askForPatience(context: RouteContext, gate: AwaitGate, session: Session): Promise<void> {
  const message = 'Your payment is being confirmed. This page goes on by itself, usually within seconds.';
  context.response.setHeader('Retry-After', `${REFRESH_SECONDS}`);
  if (!wantsHtml(context, gate.options)) {
    return sendError(context.response, 503, { error: 'membership_pending', message: 'Not confirmed yet.' });
  }
  if (isPageVisit(context)) context.response.setHeader('Refresh', `${REFRESH_SECONDS}`);
  await sendAwaiting(context, session, {
    details: { state: 'waiting', message },
    title: 'Thank you, one moment',
    hint: 'There is nothing more for you to do, and you need not pay again.',
    label: 'Check now',
  });
}

/** The time is over: no offer all the same, since the confirmation may only be late. */
async function admitDelay(context: RouteContext, gate: AwaitGate, session: Session): Promise<void> {
  const message = 'Your payment has not been confirmed yet. Some payments take a few minutes.';
  if (!wantsHtml(context, gate.options)) {
    return sendError(context.response, 403, { error: 'membership_required', message });
  }
  await sendAwaiting(context, session, {
    details: { state: 'unconfirmed', message },
    title: 'Not confirmed yet',
    hint: 'Your access opens as soon as the confirmation arrives; you need not pay again.',
    label: 'Check again',
  });
}

interface AwaitingPage {
  details: Pick<AwaitingDetails, 'state' | 'message'>;
  title: string;
  hint: string;
  /** Of the link that looks again. */
  label: string;
}

async function sendAwaiting(
  { kit, visit, request, response }: RouteContext,
  { user }: Session,
  { details, title, hint, label }: AwaitingPage,
): Promise<void> {
  const { appPath, pages } = kit.settings;
  const start = `${appPath}/`;
  const retryUrl = safeAddress(visit.publicPath, kit.settings) === undefined ? start : visit.publicPath;
  response.status(202);
  if (pages.awaiting !== undefined) {
    await pages.awaiting(request, response, { ...details, user, retryUrl });
    return;
  }
  sendPlainPage(response, {
    title,
    paragraphs: [details.message, hint],
    link: { href: retryUrl, label },
    ...(details.state === 'unconfirmed' ? { otherLink: { href: start, label: 'To the start page' } } : {}),
  });
}

/**
 * How long this visitor has been waiting on this page, in milliseconds; undefined for who has just come. A cookie says
 * so, because any process may get the next request. Who alters it only waits longer, or shorter.
 */
function waitedFor(context: RouteContext, session: Session): number | undefined {
  const { kit, request } = context;
  const [since = '', what] = readCookie(request.headers.cookie, kit.waitCookie.name)?.split('.') ?? [];
  const waitedMs = kit.settings.clock.now() - Number.parseInt(since, 36);
  const goesOn = what === nameOfWait(context, session) && waitedMs >= 0 && waitedMs < WAIT_REMEMBERED_MS;
  return goesOn ? waitedMs : undefined;
}

function beginWait(context: RouteContext, session: Session): void {
  const { kit, response } = context;
  const value = `${kit.settings.clock.now().toString(36)}.${nameOfWait(context, session)}`;
  response.append('Set-Cookie', setCookie(kit.waitCookie, value, WAIT_REMEMBERED_MS / 1000));
}

/** Tells waits of other users and on other pages apart. */
function nameOfWait({ visit }: RouteContext, { user }: Session): string {
  const [path] = visit.publicPath.split('?', 1);
  return createHash('sha256').update(`${user.sub} ${path}`).digest('base64url').slice(0, 12);
}
