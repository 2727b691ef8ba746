import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { rejectionSchemas } from '@latchkey/contract';
import { PATHS, type Permission } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import type { ServiceUnderTest } from './service-under-test.js';

/** Request with an API key. Unlike fetch, the client sends paths, headers and bytes unchanged. */
export interface ApiKeyRequest {
  readonly method?: string;
  readonly path: string;
  /**
   * API key. `null` sends none.
   * @default the seeded key of the community's owner
   */
  readonly key?: string | null;
  /** Body, sent as JSON. */
  readonly json?: unknown;
  /** Body, sent unchanged, instead of `json`. */
  readonly bytes?: Buffer;
  /** Headers that replace the default ones. A list sends the header once per value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Response to a request with an API key. */
export interface ApiKeyResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Body parsed as JSON, or `undefined` if it is not JSON. */
  readonly body: unknown;
}

/** Calls an endpoint behind an API key. The method is POST if there is a body. */
export async function callWithKey(service: ServiceUnderTest, call: ApiKeyRequest): Promise<ApiKeyResponse> {
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
        // Node accepts a list for any header, but its types allow it only for some.
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

/** Creates a key of the community's owner with only these permissions. */
export async function keyWith(
  { server }: ServiceUnderTest,
  permissions: readonly Permission[],
  ownerId: string = sandboxScenario.users.dana.id,
): Promise<string> {
  const { key } = await server.operator.createApiKey({ ownerId, name: 'Test', permissions });
  return key;
}

/** Returns the path of a check-messenger request. */
export function checkPath(
  communityId: string = sandboxScenario.community.id,
  messengerUserId = '1001',
): string {
  return PATHS.checkMessenger
    .replace('{communityId}', communityId)
    .replace('{messengerUserId}', messengerUserId);
}

/** Asserts that the response matches the strict rejection schema, and returns it. */
export async function rejectionOf(service: ServiceUnderTest, call: Partial<ApiKeyRequest>) {
  const answer = await callWithKey(service, { path: checkPath(), ...call });
  const body = rejectionSchemas.strict.parse(answer.body);
  expect(body.statusCode).toBe(answer.status);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['www-authenticate']).toBeUndefined();
  return body;
}
