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
