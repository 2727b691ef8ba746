import type { Request, Response } from 'express';
import { LatchkeyOptionsError } from '../platform/options-error.js';
import type { RejectedVisitor } from './rejected-visitor.js';
import { isWebAddress, UPGRADE_URL_ADVICE, type UpgradeUrl } from './upgrade-url.js';

/** Options of every gate. */
export interface GateOptions {
  /**
   * Format of the response to rejected visitors: pages and redirects, or JSON with 401 and 403.
   * @default By the `Accept` header: HTML for browser navigations, JSON for everything else.
   */
  respond?: 'html' | 'json' | undefined;
}

/** Details for a teaser. */
export interface TeaserDetails extends RejectedVisitor {
  /** URL of a link that signs in and returns to this page. */
  signInUrl: string;
  upgradeUrl: string | undefined;
}

/** Options of `requireMembership`. */
export interface MembershipGateOptions extends GateOptions {
  /**
   * Page that sells the membership of this gate.
   * @default Option `upgradeUrl` of `latchkey()`.
   */
  upgradeUrl?: UpgradeUrl | undefined;
  /**
   * Sends a preview to rejected visitors, instead of the redirect to sign-in and the 403 page. Used for browser
   * navigations only. The status is 200 unless the function sets another. It must not contain protected content.
   */
  teaser?: ((request: Request, response: Response, details: TeaserDetails) => unknown) | undefined;
}

/** Options of `awaitMembership`. */
export interface AwaitMembershipOptions extends GateOptions {
  /**
   * Maximum time that one request is held while the service is polled, in seconds.
   * @default 4
   */
  holdSeconds?: number | undefined;
  /**
   * Time after the visitor's return during which the page reloads itself, in seconds.
   * @default 15
   */
  waitSeconds?: number | undefined;
}

/** Names of all gate options. */
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
  const problem = (option: string, message: string) =>
    new LatchkeyOptionsError([{ option: `${gate} ${option}`, message }]);
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
