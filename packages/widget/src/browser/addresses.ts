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
