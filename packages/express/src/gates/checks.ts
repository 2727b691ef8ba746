import type { MembershipCache } from '../memberships/membership-cache.js';
import type { MembershipPredicate } from '../memberships/membership-rule.js';
import { LatchkeyError } from '../platform/latchkey-error.js';
import type { Session } from '../session/model/session.js';
import type { CurrentSession } from '../session/request/current-session.js';
import type { Visitor } from '../session/request/visitor.js';
import type { GateResult } from './gate-result.js';

/** Maximum age of a snapshot that leads to a rejection, so that new members are admitted at once. */
const REJECTION_MAX_AGE_MS = 5_000;

const MEMBERSHIPS_SCOPE = 'memberships.read';

const ALLOWED: GateResult = { kind: 'allowed' };

/** Result of a check. Synchronous if no request is necessary, because gates run on every request. */
export type Check = GateResult | Promise<GateResult>;

/** Allows signed-in visitors. */
export function checkSignedIn({ session }: Visitor): Check {
  const current = session.current();
  if (current !== undefined && !(current instanceof Promise)) return ALLOWED;
  return catchLatchkeyError(session, async () =>
    (await current) === undefined ? signedOut(session) : ALLOWED,
  );
}

/** Allows visitors whose session was granted all of the scopes. */
export function checkScopes({ session }: Visitor, scopes: readonly string[]): Check {
  return catchLatchkeyError(session, async () => {
    const current = await session.current();
    if (current === undefined) return signedOut(session);
    return missingScope(current, scopes) ?? ALLOWED;
  });
}

/** Allows visitors whose memberships match. */
export function checkMembership(
  visitor: Visitor,
  { matches, cache }: { matches: MembershipPredicate; cache: MembershipCache },
): Check {
  const { session } = visitor;
  const current = session.current();
  if (current !== undefined && !(current instanceof Promise)) {
    const cached = grantsMemberships(current) ? cache.fresh(current.user.sub) : undefined;
    if (cached !== undefined && matches(cached.memberships)) return ALLOWED;
  }
  return catchLatchkeyError(session, async () => {
    const signedIn = await current;
    if (signedIn === undefined) return signedOut(session);
    const rejection = missingMembershipsScope(signedIn);
    if (rejection !== undefined) return rejection;
    if (matches((await visitor.findMemberships()).memberships)) return ALLOWED;
    const { memberships } = await visitor.findMemberships({ maxAgeMs: REJECTION_MAX_AGE_MS });
    return matches(memberships) ? ALLOWED : { kind: 'not_a_member', user: signedIn.user, memberships };
  });
}

/** Runs a check, and converts the errors of an ended session and of an outage to rejections. */
export async function catchLatchkeyError(
  session: CurrentSession,
  check: () => Promise<GateResult>,
): Promise<GateResult> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    return error.code === 'sign_in_required' ? signedOut(session) : { kind: 'unavailable' };
  }
}

export function signedOut({ expired }: CurrentSession): GateResult {
  return { kind: 'signed_out', hasExpired: expired };
}

/** Returns a rejection if the session does not permit reading memberships. */
export function missingMembershipsScope(session: Session): GateResult | undefined {
  return grantsMemberships(session) ? undefined : missingScope(session, [MEMBERSHIPS_SCOPE]);
}

function grantsMemberships(session: Session): boolean {
  return session.tokens.scopes.includes(MEMBERSHIPS_SCOPE);
}

function missingScope(session: Session, scopes: readonly string[]): GateResult | undefined {
  const missing = scopes.filter((scope) => !session.tokens.scopes.includes(scope));
  return missing.length === 0 ? undefined : { kind: 'missing_scope', session, missing };
}
