/** Returns the absolute form of an address of this site. `undefined` if it is malformed, or belongs to another origin. */
export function ownHref(address: string): string | undefined {
  const { baseURI } = document;
  if (URL.canParse(address, baseURI)) {
    const { origin, href } = new URL(address, baseURI);
    if (origin === location.origin) return href;
  }
  return undefined;
}
