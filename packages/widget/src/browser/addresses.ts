export function withoutHash(address: string): string {
  return address.replace(/#.*/, '');
}

/** Removes trailing slashes. It runs while the page loads, so it avoids compiling a regular expression. */
export function withoutSlash(address: string): string {
  return address.endsWith('/') ? withoutSlash(address.slice(0, -1)) : address;
}

/**
 * Returns the absolute URL of an address of this site, or `undefined` if it's malformed or belongs to another origin.
 */
export function ownHref(address: string): string | undefined {
  const { baseURI } = document;
  if (URL.canParse(address, baseURI)) {
    const { origin, href } = new URL(address, baseURI);
    if (origin === location.origin) return href;
  }
  return undefined;
}

/**
 * Returns the end of an error message about an address of another origin. It mentions the page's `<base href>` if that
 * is the cause, which the address alone doesn't show. Otherwise it's empty.
 */
export function baseHint(address = ''): string {
  const { origin } = new URL(document.baseURI);
  return !address || URL.canParse(address) || origin === location.origin
    ? ''
    : ` <base href> makes it an address of ${origin}. Write the whole address.`;
}

let origin: string | undefined;

/** Returns the origin that the script tag loaded the widget from, or `undefined` in a bundle. */
export function scriptOrigin(): string | undefined {
  return origin;
}

/** Sets the origin. The script calls it before it defines the elements. */
export function setScriptOrigin(value: string): void {
  origin = value;
}
