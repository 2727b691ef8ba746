/** Returns an address without its fragment. */
export function withoutHash(address: string): string {
  return address.replace(/#.*/, '');
}

/** Returns an address without the slashes at its end. Runs while the page loads, so it compiles no regular expression. */
export function withoutSlash(address: string): string {
  return address.endsWith('/') ? withoutSlash(address.slice(0, -1)) : address;
}
