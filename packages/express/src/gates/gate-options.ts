import type { UserIdentity } from '@latchkey/oauth';
import type { Request, Response } from 'express';
import type { CookieScope } from '../http/cookies.js';
import type { MembershipRule } from '../memberships/membership-rule.js';
import type { SiteMembership } from '../memberships/site-membership.js';
import { optionError } from '../platform/errors.js';
import type { Kit } from '../session/kit.js';
import type { SignInPages } from '../sign-in/sign-in-failure.js';
import type { UnknownMemberships } from './unknown-memberships.js';

/** Options of every gate. */
export interface GateOptions {
  /**
   * How rejected visitors are answered: with pages and redirects, or with JSON and 401 or 403.
   * @default by the request: HTML for browser navigations, JSON for everything else
   */
  respond?: 'html' | 'json' | undefined;
}

export interface TeaserDetails extends RejectedVisitor {
  signInUrl: string;
  upgradeUrl: string | undefined;
}

/** Options of `requireMembership`. */
export interface MembershipGateOptions extends GateOptions {
  /**
   * Page that sells this gate's membership.
   * @default the option `upgradeUrl` of `latchkey()`
   */
  upgradeUrl?: UpgradeUrl | undefined;
  /**
   * Sends rejected visitors a preview instead of the redirect to sign-in or the 403 page. For browser navigations only.
   * The status is 200 unless the function sets another. A preview must not contain protected content.
   */
  teaser?: ((request: Request, response: Response, details: TeaserDetails) => unknown) | undefined;
}

/** Options of `awaitMembership`. */
export interface AwaitMembershipOptions extends GateOptions {
  /**
   * How long one request is held while the service is polled, in seconds.
   * @default 4
   */
  holdSeconds?: number | undefined;
  /**
   * How long after the visitor's return the page reloads itself, in seconds.
   * @default 15
   */
  waitSeconds?: number | undefined;
}

export const GATE_OPTION_NAMES = ['respond', 'upgradeUrl', 'teaser', 'holdSeconds', 'waitSeconds'] as const;

const MAX_SECONDS = 60;

/**
 * Checks the options of a gate when it is created.
 * @throws LatchkeyOptionsError
 */
export function checkGateOptions(
  gate: string,
  options: MembershipGateOptions & AwaitMembershipOptions,
  allowed: readonly (typeof GATE_OPTION_NAMES)[number][],
): void {
  const problem = (option: string, message: string) => optionError(`${gate} ${option}`, message);
  if (typeof options !== 'object' || options === null)
    throw problem('options', `must be an object such as { respond: 'json' }.`);
  const unknown = Object.keys(options).find((key) => !allowed.some((each) => each === key));
  if (unknown !== undefined) {
    throw problem(unknown, `is not an option of this gate. Its options are ${allowed.join(', ')}.`);
  }
  const { respond, upgradeUrl, teaser } = options;
  if (respond !== undefined && respond !== 'html' && respond !== 'json')
    throw problem('respond', "must be 'html' or 'json'.");
  if (upgradeUrl !== undefined && typeof upgradeUrl !== 'function' && !isWebAddress(upgradeUrl))
    throw problem('upgradeUrl', UPGRADE_URL_ADVICE);
  if (teaser !== undefined && typeof teaser !== 'function')
    throw problem('teaser', 'must be a function (request, response, details).');
  for (const name of ['holdSeconds', 'waitSeconds'] as const) {
    const value = options[name];
    if (value !== undefined && !(Number.isFinite(value) && value >= 0 && value <= MAX_SECONDS))
      throw problem(name, `must be a number of seconds from 0 to ${MAX_SECONDS}.`);
  }
}

/**
 * Why a gate rejected a visitor:
 * - `signed_out`: the visitor is not signed in.
 * - `no_membership`: the visitor has no running membership of this site.
 * - `other_membership`: the visitor has memberships of this site, but none that satisfies the rule.
 * - `unknown_membership`: the visitor has a running membership that isn't in the directory. It belongs to another
 *   seller, or hasn't been recorded yet.
 * - `missing_scope`: the visitor didn't grant a required scope.
 */
export type RejectionReason =
  | 'signed_out'
  | 'no_membership'
  | 'other_membership'
  | 'unknown_membership'
  | 'missing_scope';

/** A visitor that a gate rejected. */
export interface RejectedVisitor {
  reason: RejectionReason;
  /** Undefined for a signed-out visitor. */
  user: UserIdentity | undefined;
  /** The visitor's running memberships of every seller. */
  memberships: readonly SiteMembership[];
  /** The gate's rule. Undefined for `requireSignIn` and `requireScope`. */
  rule: MembershipRule | undefined;
  request: Request;
}

/** Page that sells the required membership: a path or URL, or a function that returns one. It may return undefined for none. */
export type UpgradeUrl = string | ((visitor: RejectedVisitor) => string | undefined);

export const UPGRADE_URL_ADVICE =
  'must be a path such as /join, an http or https URL, or a function that returns one.';

/** True for a value that is safe in a link: a path, or an http or https URL. */
export function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (/^\/(?![/\\])/.test(value)) return true;
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/**
 * Returns the first URL that one of the options has for this visitor.
 * @throws TypeError if a function returns anything but a path, a URL or undefined.
 */
export function upgradeUrlFor(
  visitor: RejectedVisitor,
  options: readonly (UpgradeUrl | undefined)[],
): string | undefined {
  for (const option of options) {
    const url = typeof option === 'function' ? option(visitor) : option;
    if (url === undefined) continue;
    if (!isWebAddress(url)) throw new TypeError(`upgradeUrl ${UPGRADE_URL_ADVICE}`);
    return url;
  }
  return undefined;
}

export type ForbiddenReason = Exclude<RejectionReason, 'signed_out'>;

/** Details for `pages.forbidden`. */
export interface ForbiddenDetails {
  reason: ForbiddenReason;
  /** The reason, in a sentence for the visitor. */
  message: string;
  user: UserIdentity;
  /** The visitor's running memberships of every seller. */
  memberships: readonly SiteMembership[];
  /** The gate's rule. Undefined for `requireScope`. */
  rule: MembershipRule | undefined;
  /** Result of the option `upgradeUrl`: the page that sells the membership. */
  upgradeUrl: string | undefined;
  /** Set with `unknown_membership`: ids of memberships that aren't in the directory, newest first. */
  membershipIds?: readonly string[] | undefined;
  /** Set with `missing_scope` and `unknown_membership`: URL of a link that tries again. */
  retryUrl?: string | undefined;
  /** Path for a form that signs out by POST. */
  signOutPath: string;
  /** URL of a link that signs in with another account and comes back to the page. Some services don't ask which account. */
  switchUrl: string;
}

/** Details for `pages.awaiting`. */
export interface AwaitingDetails {
  /**
   * `waiting`: the page reloads itself, by its `Refresh` header. `unconfirmed`: the waiting time is over, and the
   * visitor has to follow a link.
   */
  state: 'waiting' | 'unconfirmed';
  /** The state, in a sentence for the visitor. */
  message: string;
  user: UserIdentity;
  /** Set with `unconfirmed`: ids of memberships that exist but aren't in the directory. */
  membershipIds?: readonly string[] | undefined;
  /** URL for a "Check again" link: this page. */
  retryUrl: string;
}

/**
 * Custom pages. Status and caching headers are already set when a function is called; it sends the body. It may be
 * async. Its errors go to Express.
 */
export interface LatchkeyPages extends SignInPages {
  /** Status 403: the visitor lacks the membership, or didn't grant a scope. */
  forbidden?: ((request: Request, response: Response, details: ForbiddenDetails) => unknown) | undefined;
  /** Status 503: the service doesn't respond, and no cached result is recent enough. */
  unavailable?: ((request: Request, response: Response) => unknown) | undefined;
  /** Status 202 of `awaitMembership`: the visitor returned from checkout, but has no membership yet. */
  awaiting?: ((request: Request, response: Response, details: AwaitingDetails) => unknown) | undefined;
}

/** The parts of an instance, including those for gates. */
export interface GateKit extends Kit {
  pages: LatchkeyPages;
  /** Option `upgradeUrl` of `latchkey()`. */
  upgradeUrl: UpgradeUrl | undefined;
  waitCookie: CookieScope;
  unknownMemberships: UnknownMemberships;
}
