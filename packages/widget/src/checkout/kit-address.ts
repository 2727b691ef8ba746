import { baseHint } from '../state/base-hint.js';

/** A setting of the site is wrong. */
export class SettingError extends Error {}

/**
 * Returns an address of the kit.
 * @throws SettingError if the backend is missing, or belongs to another origin.
 */
export function kitAddress(backend: string | undefined, path: string): string {
  const base = (backend ?? '').replace(/\/+$/, '');
  const isOwn = base !== '' && originOf(`${base}/`) === location.origin;
  if (isOwn) return `${base}/${path}`;
  throw new SettingError(
    `backend: must be the path of ${location.origin} where the kit is mounted, such as "/auth"; got "${backend ?? ''}".${baseHint(backend)}`,
  );
}

/** Returns the path, query and fragment of a page of this site. `undefined` for any other address. */
export function sitePath(address: unknown): string | undefined {
  if (typeof address !== 'string' || originOf(address) !== location.origin) return undefined;
  const { pathname, search, hash } = new URL(address, document.baseURI);
  // A path that begins with two slashes would name another host when it is read on its own.
  return pathname.startsWith('//') ? undefined : pathname + search + hash;
}

/** Returns the address if it is an absolute http or https address. */
export function webAddress(address: unknown): string | undefined {
  return typeof address === 'string' && /^https?:\/\//i.test(address) && URL.canParse(address)
    ? address
    : undefined;
}

function originOf(address: string): string | undefined {
  return URL.canParse(address, document.baseURI) ? new URL(address, document.baseURI).origin : undefined;
}
