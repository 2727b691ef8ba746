import type { UserIdentity } from '@latchkey/oauth';
import type { CompiledRule, MembershipRule } from '../memberships/membership-rule.js';
import type { MembershipSnapshot } from '../memberships/membership-snapshot.js';
import { type LookupOptions, REJECTION_MAX_AGE_MS } from '../memberships/membership-source.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/errors.js';
import type { CurrentSession } from '../session/current-session.js';
import type { Session } from '../session/session.js';
import type { Visit, Visitor } from '../session/visitor.js';
import type { GateKit, MembershipGateOptions } from './gate-options.js';

const MEMBERSHIPS_SCOPE = 'memberships.read';

const ALLOWED: GateResult = { kind: 'allowed' };

/** Result of a check. Synchronous if no request is needed, since gates run on every request. */
export type Check = GateResult | Promise<GateResult>;

export function checkSignedIn({ session }: Visitor): Check {
  const current = session.current();
  if (current !== undefined && !(current instanceof Promise)) return ALLOWED;
  return catchLatchkeyError(session, async () =>
    (await current) === undefined ? signedOut(session) : ALLOWED,
  );
}

export function checkScopes({ session }: Visitor, scopes: readonly string[]): Check {
  return catchLatchkeyError(session, async () => {
    const current = await session.current();
    if (current === undefined) return signedOut(session);
    return missingScope(current, scopes) ?? ALLOWED;
  });
}

export function checkMembership(
  { memberships: cache, unknownMemberships }: GateKit,
  rule: CompiledRule,
  visitor: Visitor,
): Check {
  const { session } = visitor;
  const current = session.current();
  if (current !== undefined && !(current instanceof Promise)) {
    const cached = grantsMemberships(current) ? cache.fresh(current.user.sub) : undefined;
    if (cached !== undefined && rule.matches(cached)) return ALLOWED;
  }
  return catchLatchkeyError(session, async () => {
    const signedIn = await current;
    if (signedIn === undefined) return signedOut(session);
    const rejection = missingMembershipsScope(signedIn);
    if (rejection !== undefined) return rejection;
    if (rule.matches(await visitor.findMemberships())) return ALLOWED;
    const snapshot = await recheck(visitor, rule);
    if (rule.matches(snapshot)) return ALLOWED;
    const { user } = signedIn;
    const { memberships } = snapshot;
    const candidates = rule.candidates(snapshot);
    // The membership was unknown some minutes ago, and nothing newer can be read.
    if (snapshot.stale && (candidates.length > 0 || visitor.maxAgeSincePayment !== undefined))
      return { kind: 'unavailable' };
    if (candidates.length === 0) {
      const others = rule.needsDirectory ? snapshot.known : memberships;
      const reason = others.length === 0 ? 'no_membership' : 'other_membership';
      return { kind: 'not_a_member', reason, user, memberships };
    }
    return {
      kind: 'unknown_membership',
      user,
      memberships,
      ids: unknownMemberships.report(user, candidates),
    };
  });
}

/** Reads the memberships for a rejection, which must not be based on an old snapshot. */
async function recheck(visitor: Visitor, rule: CompiledRule): Promise<MembershipSnapshot> {
  const maxAgeMs = Math.min(visitor.maxAgeSincePayment ?? REJECTION_MAX_AGE_MS, REJECTION_MAX_AGE_MS);
  if (maxAgeMs > 0) return visitor.findMemberships({ maxAgeMs, isForRejection: true });
  const options: LookupOptions = { maxAgeMs, ignoreRecentFailure: true };
  const snapshot = await visitor.findMemberships(options);
  // The first lookup may have shared a request that began before the membership was recorded.
  return rule.matches(snapshot) ? snapshot : visitor.findMemberships(options);
}

/** Runs a check, and turns the errors of an ended session or an outage into rejections. */
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

export type Rejection =
  | { kind: 'signed_out'; hasExpired: boolean }
  | {
      kind: 'not_a_member';
      reason: 'no_membership' | 'other_membership';
      user: UserIdentity;
      memberships: readonly SiteMembership[];
    }
  /** A membership that could satisfy the rule isn't in the directory. */
  | {
      kind: 'unknown_membership';
      user: UserIdentity;
      memberships: readonly SiteMembership[];
      ids: readonly string[];
    }
  | { kind: 'missing_scope'; session: Session; missing: readonly string[] }
  /** The service doesn't respond, and no cached result is recent enough. */
  | { kind: 'unavailable' }
  /** The visitor returned from checkout, and the page reloads itself. */
  | { kind: 'payment_pending'; user: UserIdentity }
  /** The visitor returned from checkout, and the waiting time is over. */
  | { kind: 'payment_unconfirmed'; user: UserIdentity; ids: readonly string[] };

export type GateResult =
  | { kind: 'allowed' }
  /** The connection closed, or a response was already sent, so none follows. */
  | { kind: 'closed' }
  | Rejection;

/** A gate: its rule and options, and the check that decides. */
export interface GateDefinition {
  kit: GateKit;
  options: MembershipGateOptions;
  rule?: MembershipRule;
  check(visit: Visit): Check;
}
