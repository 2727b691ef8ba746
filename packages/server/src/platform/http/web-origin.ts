import { isLoopback } from '@latchkey/contract/constants';

/** Returns the origin. @throws Error if the URL has a path, or is plain http and not loopback. */
export function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`Option "baseUrl" must be an http or https URL; got "${baseUrl}".`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new Error(
      `Option "baseUrl" must be an https URL; got "${baseUrl}". Use https, or a loopback address while developing.`,
    );
  }
  if (url.href !== `${url.origin}/` || url.hostname.includes('*')) {
    throw new Error(
      `Option "baseUrl" must be an origin without path, query, user or wildcard; got "${baseUrl}".`,
    );
  }
  return url.origin;
}

/** Returns the origin of an http or https URL, as browsers send it; `undefined` for any other string. */
export function parseWebOrigin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.origin : undefined;
}

/** True if the service is reached over TLS. Plain http is allowed on loopback addresses only. */
export function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Returns them in lower case, with and without the default port. On loopback, every loopback name counts. */
export function hostsOf(baseUrl: string): ReadonlySet<string> {
  const url = new URL(baseUrl);
  const defaultPort = DEFAULT_PORTS[url.protocol];
  const port = url.port === '' ? defaultPort : url.port;
  const names = isLoopback(url) ? [url.hostname, ...LOOPBACK_NAMES] : [url.hostname];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === defaultPort ? [name] : [])]));
}

/** While the base URL is a loopback address, its other loopback names lead to the service too. */
export function isOwnHost(baseUrl: string, { protocol, hostname, port }: URL): boolean {
  return hostsOf(baseUrl).has(`${hostname}:${port === '' ? DEFAULT_PORTS[protocol] : port}`);
}
