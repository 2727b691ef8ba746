import type { RejectedVisitor } from './rejected-visitor.js';

/** Page that sells the required membership: a path or URL, or a function that returns one, or undefined for none. */
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
 * Returns the first URL that one of the options yields for this visitor.
 * @throws TypeError if a function returns anything but an address or undefined.
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
