import type { FakeRequest } from '../messages/fake-request.js';
import { rejection } from '../messages/rejection.js';
import type { ApiKeyEndpointName } from '../reading/api-key-data.js';
import type { EndpointContext } from './endpoint-context.js';

/**
 * Returns the endpoint that answers a well-formed API key with a fixed success. The rules for keys and roles are the
 * reference server's to test.
 */
export function apiKeyEndpoint(name: ApiKeyEndpointName, status: 200 | 201) {
  return (request: FakeRequest, { clock, names, reading }: EndpointContext): Response => {
    const key = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!key.startsWith(names.apiKeyPrefix)) {
      return rejection(401, 'The API key is missing or malformed.', { path: request.path, clock });
    }
    const data = reading.apiKeyData[name](request, clock.now());
    return Response.json({ success: true, data }, { status });
  };
}
