import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Permission } from '@latchkey/contract/constants';
import { sandboxScenario } from '../src/index.js';
import type { ServiceUnderTest } from './service-under-test.js';

/** A request with an API key. Unlike fetch it sends paths, headers and bytes exactly as they are given. */
export interface ApiKeyRequest {
  readonly method?: string;
  readonly path: string;
  /** Default: the seeded key of the community's owner; null sends none. */
  readonly key?: string | null;
  /** Sent as json. */
  readonly json?: unknown;
  /** Sent as it is, instead of `json`. */
  readonly bytes?: Buffer;
  /** Replace what would be sent; a list sends the header once for each. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** What came back. */
export interface ApiKeyAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body read as json; `undefined` when it is none. */
  readonly body: unknown;
}

/** Calls an endpoint behind an API key; a body makes it a POST. */
export async function callWithKey(service: ServiceUnderTest, call: ApiKeyRequest): Promise<ApiKeyAnswer> {
  const { key = sandboxScenario.apiKey, json, path } = call;
  const bytes = call.bytes ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)));
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(bytes !== undefined && { 'content-type': 'application/json', 'content-length': `${bytes.length}` }),
    ...call.headers,
  };
  return await new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port: service.server.port,
        path,
        method: call.method ?? (bytes === undefined ? 'GET' : 'POST'),
        // Node takes lists for any header, its types only for some.
        headers: headers as Record<string, string | string[]>,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') === true;
          const body: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body });
        });
      },
    );
    sent.on('error', reject);
    sent.end(bytes);
  });
}

/** A new key of the community's owner with these permissions only. */
export async function keyWith(
  { server }: ServiceUnderTest,
  permissions: readonly Permission[],
  ownerId: string = sandboxScenario.users.dana.id,
): Promise<string> {
  const { key } = await server.operator.createApiKey({ ownerId, name: 'Test', permissions });
  return key;
}
