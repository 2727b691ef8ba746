import type { UserIdentity } from '@latchkey/oauth';
import { type AppUrl, publicMountPath } from '../http/app-url.js';
import { forbidCaching } from '../http/json-error.js';
import { compileSiteRule, type MembershipRule } from '../memberships/membership-rule.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError } from '../platform/latchkey-error.js';
import type { Visitor } from '../session/request/visitor.js';
import type { VisitorExchange } from '../sign-in/endpoint.js';
import { loginPathFor } from '../sign-in/login-path.js';

/** Type of `res.locals.latchkey`, for templates. It adapts a page. To protect content, use a gate. */
export interface ViewSession {
  readonly signedIn: boolean;
  readonly user: UserIdentity | undefined;
  /** Running memberships of every seller. Empty for a signed-out visitor, and while `membershipsKnown` is false. */
  readonly memberships: readonly SiteMembership[];
  /** False if the visitor is signed in and the service does not respond. Then offer neither content nor a purchase. */
  readonly membershipsKnown: boolean;
  /** Checks if the memberships satisfy a rule. False while `membershipsKnown` is false. */
  has(rule: MembershipRule): boolean;
  /** URL that signs in and returns to this page. */
  readonly signInUrl: string;
  /** Path for a form that signs out by POST. */
  readonly signOutPath: string;
}

declare global {
  namespace Express {
    interface Locals {
      /** The visitor's session for templates. Undefined until `auth.locals()` has run for this request. */
      latchkey?: ViewSession;
    }
  }
}

/** Creates `res.locals.latchkey`. Fetches the memberships if necessary. */
export async function createViewSession(
  { app, hasDirectory }: { app: AppUrl; hasDirectory: boolean },
  exchange: VisitorExchange,
): Promise<ViewSession> {
  const { visitor, response } = exchange;
  forbidCaching(response);
  const found = await membershipsIfKnown(visitor);
  const memberships = found ?? [];
  const view = { memberships, known: memberships.filter(({ isKnown }) => isKnown) };
  return {
    signedIn: visitor.signedIn,
    user: visitor.user,
    memberships,
    membershipsKnown: found !== undefined,
    has: (rule) => compileSiteRule(rule, { hasDirectory }).matches(view),
    signInUrl: loginPathFor(app, exchange),
    signOutPath: `${publicMountPath(app)}/logout`,
  };
}

async function membershipsIfKnown(visitor: Visitor): Promise<readonly SiteMembership[] | undefined> {
  try {
    return await visitor.memberships();
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    // A visitor whose session has just ended is known to have no memberships.
    return error.code === 'sign_in_required' ? [] : undefined;
  }
}
