import { SITE_CALLBACK_PATH } from '@latchkey/contract/constants';
import { hostedCallbackUrl, OAuthClientError, type OAuthService } from '@latchkey/oauth';

export function withoutHash(address: string): string {
  return address.replace(/#.*/, '');
}

/** Returns an address without the slashes at its end. Runs while the page loads, so it compiles no regular expression. */
export function withoutSlash(address: string): string {
  return address.endsWith('/') ? withoutSlash(address.slice(0, -1)) : address;
}

/** Returns the absolute form of an address of this site. `undefined` if it is malformed, or belongs to another origin. */
export function ownHref(address: string): string | undefined {
  const { baseURI } = document;
  if (URL.canParse(address, baseURI)) {
    const { origin, href } = new URL(address, baseURI);
    if (origin === location.origin) return href;
  }
  return undefined;
}

/**
 * Returns the end of an error about an address of another origin. If the page's `<base href>` is the cause, it names that,
 * because the address alone does not show it.
 */
export function baseHint(address = ''): string {
  const { origin } = new URL(document.baseURI);
  return !address || URL.canParse(address) || origin === location.origin
    ? ''
    : ` <base href> makes it an address of ${origin}. Write the whole address.`;
}

let origin: string | undefined;

/** Returns the origin of the script tag. `undefined` in a bundle. */
export function scriptOrigin(): string | undefined {
  return origin;
}

/** Sets the origin. The script tag calls it before it defines the elements. */
export function setScriptOrigin(value: string): void {
  origin = value;
}

/**
 * Returns the redirect URI for a `return-url` or `callback-url`. It must be a page of this site: sessionStorage belongs to the
 * site, and the callback page posts to its own site only.
 * @throws OAuthClientError `invalid_configuration` if it is missing or malformed, has a fragment, or belongs to another site.
 */
export function ownRedirectUri(attribute: 'return-url' | 'callback-url', address = ''): string {
  const href = address && ownHref(address);
  // An empty fragment counts too. `URL.hash` does not show it.
  if (href && !href.includes('#')) return href;
  throw new OAuthClientError(
    'invalid_configuration',
    `${attribute}: must be a page of ${location.origin} without a fragment; got "${address}".${baseHint(address)}`,
  );
}

/**
 * Returns the page where the popup ends: the `callback-url`. Its default is the callback page of the service if the script
 * came from there, and otherwise a page of this site, because not every service has one.
 * @throws OAuthClientError `invalid_configuration` if a setting is invalid.
 */
export function callbackAddress(service: OAuthService, callbackUrl: string | undefined): string {
  const hosted = hostedCallbackUrl(service);
  const isFromService = hosted.startsWith(`${scriptOrigin()}/`);
  const url = callbackUrl || (isFromService ? hosted : location.origin + SITE_CALLBACK_PATH);
  return url === hosted ? hosted : ownRedirectUri('callback-url', url);
}

/**
 * Returns an address of the kit.
 * @throws OAuthClientError `invalid_configuration` if it is malformed, or belongs to another origin, which must not receive a code.
 */
export function backendUrl(backend: string, path: string): string {
  const url = `${withoutSlash(backend)}/${path}`;
  if (ownHref(url)) return url;
  throw new OAuthClientError(
    'invalid_configuration',
    `backend: must be a path of ${location.origin}; got "${backend}".${baseHint(backend)}`,
  );
}

/** Returns the address of the kit that signs in and returns to this page. */
export function loginUrl(backend: string): string {
  const { pathname, search, hash } = location;
  return `${backendUrl(backend, 'login')}?returnTo=${encodeURIComponent(pathname + search + hash)}`;
}
