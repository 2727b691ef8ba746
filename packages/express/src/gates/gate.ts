import type { NextFunction } from 'express';
import { forbidCaching } from '../answer.js';
import { LatchkeyError } from '../latchkey-error.js';
import type { RouteContext } from '../routes/kit-route.js';
import { askToSignIn, type GateOptions, refuseNonMember, reportOutage } from './gate-answers.js';
import type { MembershipPredicate } from './membership-rule.js';

/** A refusal rests on an answer no older than this, so that who has just joined is not turned away. */
const REFUSAL_MAX_AGE_MS = 5_000;

/** Lets signed-in visitors pass. */
export function passSignedIn(context: RouteContext, options: GateOptions, next: NextFunction): unknown {
  forbidCaching(context.response);
  // What needs no waiting is decided at once: this runs on every gated request.
  const current = context.visit.current();
  if (current !== undefined && !(current instanceof Promise)) return next();
  return answeringOutages(context, options, async () => {
    if ((await current) === undefined) askToSignIn(context, options);
    else next();
  });
}

/** Lets signed-in visitors pass whose memberships satisfy the rule. */
export function passMembers(
  context: RouteContext,
  { options, rule }: { options: GateOptions; rule: MembershipPredicate },
  next: NextFunction,
): unknown {
  const { kit, visit } = context;
  forbidCaching(context.response);
  const current = visit.current();
  if (current !== undefined && !(current instanceof Promise)) {
    const remembered = kit.memberships.peek(current.user.sub);
    if (remembered !== undefined && rule(remembered.memberships)) return next();
  }
  return answeringOutages(context, options, async () => {
    const session = await current;
    if (session === undefined) return askToSignIn(context, options);
    if (rule((await visit.membershipAnswer()).memberships)) return next();
    const answer = await visit.membershipAnswer(REFUSAL_MAX_AGE_MS);
    if (rule(answer.memberships)) return next();
    await refuseNonMember(context, options, { session, answer });
  });
}

async function answeringOutages(
  context: RouteContext,
  options: GateOptions,
  decide: () => Promise<void>,
): Promise<void> {
  try {
    await decide();
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    if (error.code === 'sign_in_required') askToSignIn(context, options);
    else await reportOutage(context, options);
  }
}
