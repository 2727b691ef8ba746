import type { Membership, UserIdentity } from '@latchkey/oauth';
import type { Request } from 'express';
import type { MembershipRule } from './membership-rule.js';

/**
 * Why a visitor may not pass: not signed in; no running membership at all, or none that fits; or the visitor has not
 * granted what the page needs to know.
 */
export type OutsiderReason = 'signed_out' | 'no_membership' | 'other_membership' | 'missing_scope';

/** A visitor outside of a gate. */
export interface Outsider {
  reason: OutsiderReason;
  /** Undefined when nobody is signed in. */
  user: UserIdentity | undefined;
  /** What the visitor does have, running now. */
  memberships: readonly Membership[];
  /** The rule of the gate; undefined for `requireSignIn` and `requireScope`. */
  rule: MembershipRule | undefined;
  request: Request;
}

/** Where an outsider can get in: an address, or a function that gives one, or undefined for no offer. */
export type UpgradeUrl = string | ((outsider: Outsider) => string | undefined);

export const UPGRADE_URL_ADVICE =
  'must be a path such as /join, an http or https URL, or a function that gives one.';

/** True for what may stand in a link: a path, or an http(s) URL; never a script. */
export function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (/^\/(?![/\\])/.test(value)) return true;
  return /^https?:\/\//i.test(value) && URL.canParse(value);
}

/**
 * The address of the first offer that has one.
 * @throws TypeError when a function gives something that is no address.
 */
export function upgradeUrlFor(
  outsider: Outsider,
  offers: readonly (UpgradeUrl | undefined)[],
): string | undefined {
  for (const offer of offers) {
    const url = typeof offer === 'function' ? offer(outsider) : offer;
    if (url === undefined) continue;
    if (!isWebAddress(url)) throw new TypeError(`upgradeUrl ${UPGRADE_URL_ADVICE}`);
    return url;
  }
  return undefined;
}
