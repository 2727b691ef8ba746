import type { Operation, Parameter } from '../src/features/reference/openapi-document.js';

/** Operation of the description, with what its example needs in addition. */
export interface OperationPlace {
  readonly method: 'GET' | 'POST';
  /** Path as in the description. `{name}` marks a path parameter. */
  readonly path: string;
  readonly baseUrl: string;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Shell command for a request to an operation. For authorize it is the URL for a browser. */
export function requestExample(operation: Operation, { method, path, baseUrl }: OperationPlace): string {
  const url = `${baseUrl}${fillPath(path, operation)}${queryOf(operation)}`;
  if (operation.operationId === 'authorize') return url;
  const [scheme] = operation.security.flatMap((requirement) => Object.keys(requirement));
  const parts = [
    `curl ${method === 'POST' ? '-X POST ' : ''}${shellQuoted(url)}`,
    ...(scheme === 'apiKey' ? ['-H "Authorization: Bearer $API_KEY"'] : []),
    ...(scheme === 'accessToken' ? ['-H "Authorization: Bearer $ACCESS_TOKEN"'] : []),
    ...bodyOf(operation),
  ];
  return parts.join(' \\\n  ');
}

function bodyOf({ requestBody }: Operation): string[] {
  if (requestBody === undefined) return [];
  const { examples } = requestBody.content['application/json'] ?? {};
  const value = firstValue(examples) as Readonly<Record<string, unknown>>;
  if (FORM_TYPE in requestBody.content) {
    return Object.entries(value).map(
      ([name, field]) => `--data-urlencode ${shellQuoted(`${name}=${field}`)}`,
    );
  }
  return ["-H 'Content-Type: application/json'", `-d ${shellQuoted(JSON.stringify(value, null, 2))}`];
}

function firstValue(examples: Readonly<Record<string, { value: unknown }>> = {}): unknown {
  return Object.values(examples)[0]?.value;
}

function fillPath(path: string, { parameters = [] }: Operation): string {
  return examplesIn(parameters, 'path').reduce(
    (filled, [name, value]) => filled.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
}

function queryOf({ parameters = [] }: Operation): string {
  const query = new URLSearchParams(examplesIn(parameters, 'query')).toString();
  return query === '' ? '' : `?${query}`;
}

function examplesIn(parameters: readonly Parameter[], place: Parameter['in']): [string, string][] {
  return parameters.flatMap((parameter) =>
    parameter.in === place && parameter.example !== undefined
      ? [[parameter.name, String(parameter.example)]]
      : [],
  );
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
