import type { EndpointName, EndpointPaths } from '@latchkey/contract/constants';

/** Paths that are never logged: the control API, and the receiver of deliveries, which has a list of its own. */
const UNLOGGED = /^\/sandbox\/(?:api(?:\/|$)|webhooks\/receiver$)/;

export type FindEndpoint = (path: string) => EndpointName | undefined;

/** Returns a function that finds the endpoint of a path; `undefined` for any other path. */
export function endpointFinder(paths: EndpointPaths): FindEndpoint {
  const patterns = (Object.entries(paths) as [EndpointName, string][]).map(
    ([name, path]) => [name, new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
  );
  return (path) => patterns.find(([, pattern]) => pattern.test(path))?.[0];
}

/** True for calls of the twelve endpoints, and for forms of the service's pages. */
export function isLogged(method: string, path: string, endpoint: EndpointName | undefined): boolean {
  if (UNLOGGED.test(path)) return false;
  return endpoint !== undefined || (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS');
}
