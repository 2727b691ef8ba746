import { setTimeout } from 'node:timers/promises';
import { DAY_MS } from '@latchkey/contract/constants';
import type { UserIdentity } from '@latchkey/oauth';
import { type AppUrl, isSameOrigin, queryOf, startPath } from '../http/app-url.js';
import { clearCookie, readCookie, setCookie } from '../http/cookies.js';
import { sendError } from '../http/json-error.js';
import { sendPlainPage } from '../http/plain-page.js';
import { isSpeculative, prefersHtml, ranksHtmlFirst } from '../http/request-kind.js';
import { FRESH_MS } from '../memberships/membership-cache.js';
import type { MembershipView } from '../memberships/membership-snapshot.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/errors.js';
import type { Kit, Needs } from '../session/kit.js';
import { REVOCATION_WAIT_MS } from '../session/revocations.js';
import { type Session, SessionStoreError } from '../session/session.js';
import type { Endpoint, Visit } from '../session/visitor.js';

const MAX_MEMBERSHIPS = 1_000;

/** Response body of `GET /auth/session` and `POST /auth/exchange`. Contains no token. */
export type SessionBody =
  | {
      signedIn: true;
      user: UserIdentity;
      /** Running memberships, at most 1,000. If there are more, this site's come first. */
      memberships: readonly SiteMembership[];
      /** Expiry of the access token, in milliseconds since the epoch: a good time for the next request. */
      expiresAt: number;
    }
  | {
      signedIn: false;
      /** `expired` in one response after a session expired; `signed_out` from a sign-out until the browser's next sign-in. */
      reason?: 'expired' | 'signed_out';
    };

/**
 * Maximum age of the memberships in a response to `GET /auth/session?fresh`, in milliseconds. Much shorter than the
 * widget's pause between two reads: each read must see what has changed since the previous one.
 */
const FRESH_MAX_AGE_MS = 1_000;

/**
 * `GET /auth/session`: sends the current session to the widget and to scripts of the app. Renews it if necessary. The
 * widget adds `?fresh` when its page is shown again: the visitor may have paid in another tab.
 */
export async function sendSession(
  kit: Needs<'signedOutCookie'>,
  { visitor, request, response }: Visit,
): Promise<void> {
  const { maxAgeSincePayment = FRESH_MS } = visitor;
  const maxAgeMs = Math.min(maxAgeSincePayment, queryOf(request).has('fresh') ? FRESH_MAX_AGE_MS : FRESH_MS);
  let current: Session | undefined;
  let memberships: readonly SiteMembership[] = [];
  try {
    current = await visitor.session.current();
    if (current?.tokens.scopes.includes('memberships.read')) {
      memberships = firstOf(await visitor.findMemberships({ maxAgeMs }));
      // If the service rejected the session's token, the lookup renews the session.
      current = await visitor.session.current();
    }
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    if (error.code === 'service_unavailable') {
      return sendError(response, 503, { error: error.code, message: error.message });
    }
    current = undefined;
  }
  const { session } = visitor;
  // A speculative request has no reader, so it doesn't use up the report.
  const isExpired =
    current === undefined && session.expired && (isSpeculative(request) || session.reportExpiry());
  const reason = isExpired ? 'expired' : hasSignedOut(kit, { request }) ? 'signed_out' : undefined;
  const body: SessionBody =
    current === undefined
      ? { signedIn: false, ...(reason !== undefined && { reason }) }
      : { signedIn: true, user: current.user, memberships, expiresAt: current.tokens.expiresAt };
  response.setHeader('Cache-Control', 'no-store');
  response.json(body);
}

/**
 * Limits the size of the response. Sellers can grant a user any number of memberships. Others' memberships never push
 * out this site's.
 */
function firstOf({ known, memberships }: MembershipView): readonly SiteMembership[] {
  if (memberships.length <= MAX_MEMBERSHIPS) return memberships;
  return [...known, ...memberships.filter(({ isKnown }) => !isKnown)].slice(0, MAX_MEMBERSHIPS);
}

/** How long a sign-out is remembered, in seconds: as long as sessions at services last. */
const SIGNED_OUT_SECONDS = (30 * DAY_MS) / 1000;

/** True if the last thing this browser did here was to sign out. The cookie isn't signed, since it only makes the service ask. */
export function hasSignedOut(kit: Needs<'signedOutCookie'>, { request }: Pick<Visit, 'request'>): boolean {
  return readCookie(request.headers.cookie, kit.signedOutCookie.name) !== undefined;
}

export function forgetSignOut(kit: Needs<'signedOutCookie'>, visit: Visit): void {
  if (hasSignedOut(kit, visit)) visit.response.append('Set-Cookie', clearCookie(kit.signedOutCookie));
}

/**
 * `POST /auth/logout`: ends the session, and revokes its tokens if the client is confidential. Scripts receive 204. A
 * form is redirected to the start page, also if a script sends it, as those of Turbo, Inertia and htmx do.
 */
export function logoutEndpoint(kit: Kit): Endpoint {
  const { app, sessionCookie, store, storeFailed } = kit;
  return async ({ visitor, request, response }) => {
    if (!isSameOrigin(request, app.appOrigin)) {
      return sendError(response, 403, {
        error: 'cross_site_request',
        message: `Only pages of ${app.appOrigin} may sign out here.`,
      });
    }
    const { opened } = visitor.session;
    const cookie = readCookie(request.headers.cookie, sessionCookie.name);
    const id = opened?.id ?? (cookie === undefined ? undefined : store.idOf(cookie));
    // This comes first: a refresh in progress must not restore the session.
    const ended =
      id === undefined
        ? undefined
        : await store
            .end(id)
            .catch((error: unknown) =>
              storeFailed('A session that was signed out could not be deleted.', error),
            );
    // The store retries in the background.
    const isPending = ended instanceof SessionStoreError;
    // Another process may have renewed the session since this request read it.
    const session = (isPending ? undefined : ended) ?? opened;
    if (session !== undefined) {
      await Promise.race([
        revokeNewest(kit, session),
        setTimeout(REVOCATION_WAIT_MS, undefined, { ref: false }),
      ]);
    }
    visitor.session.clear();
    response.append('Set-Cookie', setCookie(kit.signedOutCookie, '1', SIGNED_OUT_SECONDS));
    if (isPending) return sendIncomplete(app, { visitor, request, response });
    const start = `${app.appOrigin}${startPath(app)}`;
    if (prefersHtml(request) || ranksHtmlFirst(request)) return response.redirect(303, start);
    if (request.headers['hx-request'] !== undefined) response.setHeader('HX-Redirect', start);
    response.status(204).end();
  };
}

/** Reports that this browser's cookie is deleted, but the session may still exist in the store. */
function sendIncomplete(app: AppUrl, { visitor, request, response }: Visit): void {
  const message = 'You are signed out in this browser. The session may still be active for a few minutes.';
  if (prefersHtml(request)) {
    const t = visitor.textsFor(undefined);
    sendPlainPage(response.status(503), t, {
      title: t('Signed out in this browser'),
      paragraphs: [t(message)],
      link: { href: startPath(app), label: t('Go to the start page') },
    });
  } else sendError(response, 503, { error: 'service_unavailable', message });
}

/** Revokes the newest tokens of the session, after any refresh in progress. Never rejects. */
async function revokeNewest({ refresher, revocations }: Kit, session: Session): Promise<void> {
  const { tokens } = await refresher.newestSession(session);
  refresher.stopWaiting(session);
  await revocations.revoke(tokens);
}
