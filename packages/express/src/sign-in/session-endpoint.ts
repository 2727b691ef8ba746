import type { UserIdentity } from '@latchkey/oauth';
import { sendError } from '../http/json-error.js';
import { FRESH_MS } from '../memberships/membership-cache.js';
import type { MembershipView } from '../memberships/membership-snapshot.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/errors.js';
import type { Session } from '../session/session.js';
import type { Visit } from '../session/visitor.js';

const MAX_MEMBERSHIPS = 1_000;

/** Response body of `GET /auth/session` and `POST /auth/exchange`. Contains no token. */
export type SessionBody =
  | {
      signedIn: true;
      user: UserIdentity;
      /** Running memberships. At most 1,000: if there are more, those of this site come first. */
      memberships: readonly SiteMembership[];
      /** Expiry of the access token in milliseconds since the epoch: a good time for the next request. */
      expiresAt: number;
    }
  | {
      signedIn: false;
      /** Set in one response after a session expired. */
      reason?: 'expired';
    };

/** Maximum age of the memberships in a response to `GET /auth/session?fresh`, in milliseconds. */
const FRESH_MAX_AGE_MS = 5_000;

/**
 * `GET /auth/session`: sends the current session to the widget and to scripts of the app. Renews it if necessary. The widget
 * adds `?fresh` when its page is shown again, because the visitor may have paid in another tab.
 */
export async function sendSession({ visitor, request, response }: Visit): Promise<void> {
  const { maxAgeSincePayment = FRESH_MS } = visitor;
  const maxAgeMs = Math.min(maxAgeSincePayment, 'fresh' in request.query ? FRESH_MAX_AGE_MS : FRESH_MS);
  let current: Session | undefined;
  let memberships: readonly SiteMembership[] = [];
  try {
    current = await visitor.session.current();
    if (current?.tokens.scopes.includes('memberships.read')) {
      memberships = firstOf(await visitor.findMemberships({ maxAgeMs }));
      // The lookup renews a session whose token the service rejected.
      current = await visitor.session.current();
    }
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    if (error.code === 'service_unavailable') {
      return sendError(response, 503, { error: error.code, message: error.message });
    }
    current = undefined;
  }
  if (current === undefined) {
    const isExpired = visitor.session.expired && visitor.session.reportExpiry();
    response.setHeader('Cache-Control', 'no-store');
    const body: SessionBody = isExpired ? { signedIn: false, reason: 'expired' } : { signedIn: false };
    response.json(body);
    return;
  }
  const { user, tokens } = current;
  const body: SessionBody = { signedIn: true, user, memberships, expiresAt: tokens.expiresAt };
  response.setHeader('Cache-Control', 'no-store');
  response.json(body);
}

/**
 * Limits the size of the response, because sellers can grant any number of memberships to a user. Memberships of
 * this site are never cut off by those of others.
 */
function firstOf({ known, memberships }: MembershipView): readonly SiteMembership[] {
  if (memberships.length <= MAX_MEMBERSHIPS) return memberships;
  return [...known, ...memberships.filter(({ isKnown }) => !isKnown)].slice(0, MAX_MEMBERSHIPS);
}
