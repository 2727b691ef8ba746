import type { NextFunction } from 'express';
import { forbidCaching } from '../answer.js';
import { LatchkeyError } from '../latchkey-error.js';
import type { RouteContext } from '../routes/kit-route.js';
import type { Session } from '../session/session.js';
import {
  askForScopes,
  askToSignIn,
  type MembershipGate,
  refuseNonMember,
  reportOutage,
} from './gate-answers.js';
import type { GateOptions } from './gate-options.js';
import type { MembershipPredicate } from './membership-rule.js';

/** A refusal rests on an answer no older than this, so that who has just joined is not turned away. */
const REFUSAL_MAX_AGE_MS = 5_000;

/** What memberships are asked for with. */
const MEMBERSHIPS_SCOPE = ['memberships.read'];

/** Lets signed-in visitors pass. */
export function passSignedIn(context: RouteContext, options: GateOptions, next: NextFunction): unknown {
  forbidCaching(context.response);
  // What needs no waiting is decided at once: this runs on every gated request.
  const current = context.visit.current();
  if (current !== undefined && !(current instanceof Promise)) return next();
  return answering(context, { options }, async () => {
    if ((await current) === undefined) await askToSignIn(context, options);
    else next();
  });
}

/** Lets signed-in visitors pass who have granted all of the scopes. */
export function passScopes(
  context: RouteContext,
  { options, scopes }: { options: GateOptions; scopes: readonly string[] },
  next: NextFunction,
): unknown {
  forbidCaching(context.response);
  return answering(context, { options }, async () => {
    const session = await context.visit.current();
    if (session === undefined) return askToSignIn(context, options);
    const missing = missingOf(session, scopes);
    if (missing.length > 0) return askForScopes(context, options, { session, missing });
    next();
  });
}

/** Lets signed-in visitors pass whose memberships satisfy the rule. */
export function passMembers(
  context: RouteContext,
  gate: MembershipGate & { passes: MembershipPredicate },
  next: NextFunction,
): unknown {
  const { kit, visit } = context;
  const { options, passes } = gate;
  forbidCaching(context.response);
  const current = visit.current();
  if (current !== undefined && !(current instanceof Promise)) {
    const remembered = grantsMemberships(current) ? kit.memberships.peek(current.user.sub) : undefined;
    if (remembered !== undefined && passes(remembered.memberships)) return next();
  }
  return answering(context, { options, gate }, async () => {
    const session = await current;
    if (session === undefined) return askToSignIn(context, options, gate);
    if (!grantsMemberships(session))
      return askForScopes(context, options, { session, missing: MEMBERSHIPS_SCOPE });
    if (passes((await visit.membershipAnswer()).memberships)) return next();
    const answer = await visit.membershipAnswer({ maxAgeMs: REFUSAL_MAX_AGE_MS });
    if (passes(answer.memberships)) return next();
    await refuseNonMember(context, gate, { session, answer });
  });
}

/** What the session lacks of these scopes, by what the service said that it grants. */
function missingOf(session: Session, scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !session.tokens.scopes.includes(scope));
}

/** True when the memberships of the session's user may be asked for with it. */
export function grantsMemberships(session: Session): boolean {
  return missingOf(session, MEMBERSHIPS_SCOPE).length === 0;
}

/** Runs a gate's decision, and answers for it when the session ends or the service cannot be asked meanwhile. */
export async function answering(
  context: RouteContext,
  { options, gate }: { options: GateOptions; gate?: MembershipGate },
  decide: () => Promise<void>,
): Promise<void> {
  try {
    await decide();
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    if (error.code === 'sign_in_required') await askToSignIn(context, options, gate);
    else await reportOutage(context, options);
  }
}
