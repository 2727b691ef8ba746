import { type EndpointName, pathsOf, type ServiceNames } from '@latchkey/contract/constants';
import { API_KEY_ENDPOINTS } from './api-key-answers.js';

/** Endpoint of a path, with the values of its path parameters. */
export interface Route {
  readonly endpoint: EndpointName;
  readonly pathParameters: Readonly<Record<string, string>>;
}

const POST_ENDPOINTS: ReadonlySet<EndpointName> = new Set([
  'provisionExternal',
  'buyPlan',
  'dropSignup',
  'token',
  'revoke',
]);

/** Returns a function that finds the endpoint of a request, under the names of a service. */
export function createRouter(names: ServiceNames): (method: string, path: string) => Route | undefined {
  const rows = (Object.entries(pathsOf(names)) as [EndpointName, string][]).map(([endpoint, path]) => ({
    endpoint,
    method: POST_ENDPOINTS.has(endpoint) ? 'POST' : 'GET',
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
  }));
  return (method, path) => {
    for (const row of rows) {
      const match = row.pattern.exec(path);
      if (match === null || row.method !== method) continue;
      return { endpoint: row.endpoint, pathParameters: { ...match.groups } };
    }
    return undefined;
  };
}

/** True if pages of other origins may call the endpoint. An API key never belongs there. */
export function allowsBrowsers(endpoint: EndpointName | undefined): boolean {
  return !(API_KEY_ENDPOINTS as readonly (EndpointName | undefined)[]).includes(endpoint);
}
