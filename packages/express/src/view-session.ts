import type { Membership, UserIdentity } from '@latchkey/oauth';
import { forbidCaching } from './answer.js';
import { loginPath } from './gates/gate-options.js';
import { compileRule, type MembershipRule } from './gates/membership-rule.js';
import { LatchkeyError } from './latchkey-error.js';
import type { RouteContext } from './routes/kit-route.js';

/** `res.locals.latchkey`: what a template says and shows. It hides; what must stay secret goes behind a gate. */
export interface ViewSession {
  readonly signedIn: boolean;
  readonly user: UserIdentity | undefined;
  /** Those that run now. Empty for who is signed out, and while they are not known. */
  readonly memberships: readonly Membership[];
  /** False while somebody is signed in and the service cannot tell the memberships: say neither yes nor no. */
  readonly membershipsKnown: boolean;
  /** Whether the memberships satisfy a rule; false while they are not known. */
  has(rule: MembershipRule): boolean;
  /** Signs in and comes back to this page. */
  readonly signInUrl: string;
  /** Where a form may POST to sign out. */
  readonly signOutPath: string;
}

declare global {
  namespace Express {
    interface Locals {
      /** The visitor, for templates. Undefined until `auth.locals()` has run for this request. */
      latchkey?: ViewSession;
    }
  }
}

/** What templates may know of the visitor. Asks for the memberships when nothing fresh is remembered. */
export async function viewSession(context: RouteContext): Promise<ViewSession> {
  const { kit, visit, response } = context;
  forbidCaching(response);
  const memberships = await knownMemberships(context);
  return {
    signedIn: visit.signedIn,
    user: visit.user,
    memberships: memberships ?? [],
    membershipsKnown: memberships !== undefined,
    has: (rule) => compileRule(rule)(memberships ?? []),
    signInUrl: loginPath(context),
    signOutPath: `${kit.publicMountPath}/logout`,
  };
}

async function knownMemberships({ visit }: RouteContext): Promise<readonly Membership[] | undefined> {
  try {
    return await visit.memberships();
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    // Signed out meanwhile: that there is no membership is known.
    return error.code === 'sign_in_required' ? [] : undefined;
  }
}
