import type { Request, Response } from 'express';
import { prefersHtml } from '../answer.js';
import { LatchkeyOptionsError } from '../options-error.js';
import type { RouteContext } from '../routes/kit-route.js';
import { safeAddress } from '../sign-in/return-to.js';
import { isWebAddress, type Outsider, UPGRADE_URL_ADVICE, type UpgradeUrl } from './outsider.js';

/** Options of every gate. */
export interface GateOptions {
  /**
   * What those get who may not pass: pages and redirects, or JSON with 401 and 403. Default: by the `Accept` header;
   * a browser navigation gets HTML, everything else JSON.
   */
  respond?: 'html' | 'json' | undefined;
}

/** What a teaser is told. */
export interface TeaserDetails extends Outsider {
  /** Signs in and comes back to this page. */
  signInUrl: string;
  upgradeUrl: string | undefined;
}

/** Options of gates that ask for a membership. */
export interface MembershipGateOptions extends GateOptions {
  /** Where outsiders of this gate can get in. Default: `upgradeUrl` of `latchkey()`. */
  upgradeUrl?: UpgradeUrl | undefined;
  /**
   * What a browser navigation gets instead of the way to sign in, or of the refusal: a page that shows what is behind.
   * Status 200 unless it sets another. It must hold nothing of what it teases with.
   */
  teaser?: ((request: Request, response: Response, details: TeaserDetails) => unknown) | undefined;
}

/** Every option of some gate. */
export const GATE_OPTION_NAMES = ['respond', 'upgradeUrl', 'teaser', 'holdSeconds', 'waitSeconds'] as const;

/**
 * Checks what a gate was given when it is set up, not when the first visitor comes.
 * @throws LatchkeyOptionsError
 */
export function checkGateOptions(
  gate: string,
  options: MembershipGateOptions & { holdSeconds?: number | undefined; waitSeconds?: number | undefined },
  allowed: readonly (typeof GATE_OPTION_NAMES)[number][],
): void {
  const problem = (option: string, message: string) =>
    new LatchkeyOptionsError([{ option: `${gate} ${option}`, message }]);
  if (typeof options !== 'object' || options === null)
    throw problem('options', `must be an object such as { respond: 'json' }.`);
  const unknown = Object.keys(options).find((key) => !allowed.some((each) => each === key));
  if (unknown !== undefined) {
    throw problem(unknown, `is not an option of this gate; it takes ${allowed.join(', ')}.`);
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
    if (value !== undefined && !(Number.isFinite(value) && value >= 0 && value <= 60))
      throw problem(name, 'must be a number of seconds from 0 to 60.');
  }
}

/** Whether who may not pass gets a page. */
export function wantsHtml({ request }: RouteContext, { respond }: GateOptions): boolean {
  return respond === undefined ? prefersHtml(request) : respond === 'html';
}

/** True for what can be asked for again after a detour: what a form has sent would be lost. */
export function isPageVisit({ request }: RouteContext): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

/** The path that signs in, perhaps with a wider scope, and comes back to this page where that can be done. */
export function loginPath(context: RouteContext, scopes: readonly string[] = []): string {
  const { kit, visit } = context;
  const query = new URLSearchParams();
  if (isPageVisit(context) && safeAddress(visit.publicPath, kit.settings) !== undefined) {
    query.set('returnTo', visit.publicPath);
  }
  if (scopes.length > 0) query.set('scope', scopes.join(' '));
  const text = query.toString();
  return `${kit.publicMountPath}/login${text === '' ? '' : `?${text}`}`;
}
