import { OAUTH_SCOPES, type OAuthScope } from '@latchkey/contract/constants';
import type { UserIdentity } from '@latchkey/oauth';
import { publicMountPath } from '../http/app-url.js';
import { forbidCaching } from '../http/json-error.js';
import { type Middleware, middleware } from '../http/middleware.js';
import { compileSiteRule, type MembershipRule } from '../memberships/membership-rule.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { LatchkeyError, optionError } from '../platform/errors.js';
import type { Needs } from '../session/kit.js';
import { requireVisitor, type Visit, type Visitor } from '../session/visitor.js';
import { loginPathFor } from '../sign-in/return-to.js';
import { checkAwaitedMembership } from './await-membership.js';
import { checkMembership, checkScopes, checkSignedIn, type GateDefinition } from './checks.js';
import {
  type AwaitMembershipOptions,
  checkGateOptions,
  type GateKit,
  type GateOptions,
  type MembershipGateOptions,
} from './gate-options.js';
import { gatedFiles } from './gated-files.js';
import { runGate } from './run-gate.js';

/** Middleware that protects routes, files or whole routers. */
export type Gate = Middleware;

/** Middleware for routes. */
export interface Gates {
  /** Admits signed-in visitors. Others are redirected to sign-in, or receive 401 as JSON. */
  requireSignIn(options?: GateOptions): Gate;
  /**
   * Admits visitors with memberships that satisfy the rule. Others receive 403.
   * @throws LatchkeyOptionsError for an invalid rule, without the scope `memberships.read`, or without the option
   * `directory` that the rule needs.
   */
  requireMembership(rule: MembershipRule, options?: MembershipGateOptions): Gate;
  /**
   * Serves the files in a folder to visitors with memberships that satisfy the rule, and rejects all others like
   * `requireMembership`. Supports ranges, for example for videos, and conditional requests. Browsers can keep a file,
   * but have to ask again before each use. Keep the folder outside every folder that `express.static()` serves.
   * Symbolic links below it aren't followed, and files have only one spelling, even if the file system ignores case.
   * @param folder an absolute path, or one relative to the working directory.
   * @throws LatchkeyOptionsError for a folder that doesn't exist, an invalid rule, or without the scope
   * `memberships.read`.
   * @example app.use('/course', auth.gatedFiles('private/course', { communityId }));
   */
  gatedFiles(folder: string, rule: MembershipRule, options?: MembershipGateOptions): Gate;
  /**
   * Admits visitors who granted the scope, or all of several scopes. On a page, others are redirected to the service
   * once, to ask for it. Scripts receive 403. What counts is the scopes that the service reports, not those requested.
   * @throws LatchkeyOptionsError for an unknown scope.
   */
  requireScope(scope: OAuthScope | readonly OAuthScope[], options?: GateOptions): Gate;
  /**
   * Use it instead of `requireMembership` on the page that a checkout returns to: the browser can come back before the
   * service has received the payment. The gate polls the service, without the cache, and at once after
   * {@link Latchkey.forgetMemberships}. Meanwhile it sends a page that reloads itself (status 202). Scripts receive 503
   * with `Retry-After`.
   * @throws LatchkeyOptionsError like `requireMembership`.
   */
  awaitMembership(rule: MembershipRule, options?: AwaitMembershipOptions): Gate;
  /** Sets `res.locals.latchkey` for templates. Admits every visitor, even during an outage of the service. */
  locals(): Gate;
}

export function createGates(kit: GateKit): Gates {
  const { scopes, scopesInUse } = kit;
  const gate = (name: string, definition: Pick<GateDefinition, 'options' | 'rule' | 'check'>): Gate => {
    const complete: GateDefinition = { kit, ...definition };
    return middleware((request, response, next) => {
      const visitor = requireVisitor(kit, name, request);
      return runGate(complete, { visitor, request, response }, next);
    });
  };
  const membershipGate = (name: string, rule: MembershipRule, options: MembershipGateOptions = {}) => {
    checkGateOptions(name, options, ['respond', 'upgradeUrl', 'teaser']);
    requireMembershipsScope(name, scopes);
    const compiled = compileSiteRule(rule, kit);
    return gate(name, { options, rule, check: ({ visitor }) => checkMembership(kit, compiled, visitor) });
  };
  return {
    requireSignIn: (options = {}) => {
      checkGateOptions('requireSignIn', options, ['respond']);
      return gate('requireSignIn', { options, check: ({ visitor }) => checkSignedIn(visitor) });
    },
    requireMembership: (rule, options) => membershipGate('requireMembership', rule, options),
    gatedFiles: (folder, rule, options) => gatedFiles(folder, membershipGate('gatedFiles', rule, options)),
    requireScope: (scope, options = {}) => {
      checkGateOptions('requireScope', options, ['respond']);
      const required = readScopes(scope);
      for (const each of required) scopesInUse.add(each);
      return gate('requireScope', { options, check: ({ visitor }) => checkScopes(visitor, required) });
    },
    awaitMembership: (rule, options = {}) => {
      checkGateOptions('awaitMembership', options, ['respond', 'holdSeconds', 'waitSeconds']);
      requireMembershipsScope('awaitMembership', scopes);
      const awaiting = { kit, rule: compileSiteRule(rule, kit), options };
      return gate('awaitMembership', { options, check: (visit) => checkAwaitedMembership(awaiting, visit) });
    },
    locals: () =>
      middleware(async (request, response, next) => {
        const visitor = requireVisitor(kit, 'locals', request);
        response.locals.latchkey = await createViewSession(kit, { visitor, request, response });
        next();
      }),
  };
}

function requireMembershipsScope(gate: string, scopes: readonly OAuthScope[]): void {
  if (scopes.includes('memberships.read')) return;
  throw optionError('scopes', `${gate} needs the scope memberships.read. Add it to scopes.`);
}

function readScopes(scope: OAuthScope | readonly OAuthScope[]): readonly OAuthScope[] {
  const scopes = typeof scope === 'string' ? [scope] : scope;
  if (Array.isArray(scopes) && scopes.length > 0 && scopes.every((each) => OAUTH_SCOPES.includes(each))) {
    return scopes;
  }
  throw optionError('requireScope', `must name at least one of ${OAUTH_SCOPES.join(', ')}.`);
}

/** Type of `res.locals.latchkey`, for templates. Use it to adapt a page. To protect content, use a gate. */
export interface ViewSession {
  readonly signedIn: boolean;
  readonly user: UserIdentity | undefined;
  /** Running memberships of every seller. Empty for a signed-out visitor, or while `membershipsKnown` is false. */
  readonly memberships: readonly SiteMembership[];
  /** False if the visitor is signed in but the service doesn't respond. Then offer neither content nor a purchase. */
  readonly membershipsKnown: boolean;
  /** True if the memberships satisfy a rule. False while `membershipsKnown` is false. */
  has(rule: MembershipRule): boolean;
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
async function createViewSession(kit: Needs<'app' | 'directory'>, visit: Visit): Promise<ViewSession> {
  const { visitor, response } = visit;
  forbidCaching(response);
  const found = await membershipsIfKnown(visitor);
  const memberships = found ?? [];
  const view = { memberships, known: memberships.filter(({ isKnown }) => isKnown) };
  return {
    signedIn: visitor.signedIn,
    user: visitor.user,
    memberships,
    membershipsKnown: found !== undefined,
    has: (rule) => compileSiteRule(rule, kit).matches(view),
    signInUrl: loginPathFor(kit.app, visit),
    signOutPath: `${publicMountPath(kit.app)}/logout`,
  };
}

async function membershipsIfKnown(visitor: Visitor): Promise<readonly SiteMembership[] | undefined> {
  try {
    return await visitor.memberships();
  } catch (error) {
    if (!(error instanceof LatchkeyError)) throw error;
    // If the session has just ended, the visitor is known to have no memberships.
    return error.code === 'sign_in_required' ? [] : undefined;
  }
}
