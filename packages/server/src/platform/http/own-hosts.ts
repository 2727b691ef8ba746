import { isLoopback } from './web-origin.js';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Returns the values of the Host header that name the service, in lower case: the host of the base URL, with and without
 * its default port. If it is a loopback address, every loopback name counts.
 */
export function hostsOf(baseUrl: string): ReadonlySet<string> {
  const url = new URL(baseUrl);
  const defaultPort = DEFAULT_PORTS[url.protocol];
  const port = url.port === '' ? defaultPort : url.port;
  const names = isLoopback(url) ? [url.hostname, ...LOOPBACK_NAMES] : [url.hostname];
  return new Set(names.flatMap((name) => [`${name}:${port}`, ...(port === defaultPort ? [name] : [])]));
}

/**
 * True if requests to a URL reach the service itself. While the base URL is a loopback address, its other loopback names
 * lead to the service too.
 */
export function isOwnHost(baseUrl: string, { protocol, hostname, port }: URL): boolean {
  return hostsOf(baseUrl).has(`${hostname}:${port === '' ? DEFAULT_PORTS[protocol] : port}`);
}
