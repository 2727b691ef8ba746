const LOOPBACK = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** True if a URL's host is always the local machine. */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

/** Returns the origin of an http or https address, in the form that browsers send; `undefined` for any other text. */
export function parseWebOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : undefined;
}

/** True if the service is reached over TLS. Plain http is allowed on loopback addresses only. */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
