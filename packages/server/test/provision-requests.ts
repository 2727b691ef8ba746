import {
  ENDPOINTS,
  envelopeFailureSchemas,
  type ProvisionExternalRequest,
  type ProvisionedMembership,
} from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import { type ApiKeyResponse, callWithKey } from './api-key-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';

export const PROVISION_PATH = '/membership/provision-external';

/** Provisioning for the seeded community and a new order, with any JSON that replaces it. */
export async function postProvision(
  service: ServiceUnderTest,
  body: Partial<Record<keyof ProvisionExternalRequest, unknown>>,
  key?: string,
): Promise<ApiKeyResponse> {
  return await callWithKey(service, {
    path: PROVISION_PATH,
    json: { communityId: sandboxScenario.community.id, externalOrderId: 'order-1', ...body },
    ...(key !== undefined && { key }),
  });
}

/** Asserts that a provisioning succeeds and matches the strict schema, and returns its result. */
export async function provision(
  service: ServiceUnderTest,
  body: Partial<ProvisionExternalRequest>,
): Promise<ProvisionedMembership> {
  const answer = await postProvision(service, body);
  expect(answer.status, answer.text).toBe(200);
  return ENDPOINTS.provisionExternal.success.body.strict.parse(answer.body).data;
}

/** Asserts that a response is a 409 and matches the strict schema, and returns its body. */
export async function conflictOf(service: ServiceUnderTest, body: Parameters<typeof postProvision>[1]) {
  const answer = await postProvision(service, body);
  expect(answer.status, answer.text).toBe(409);
  return envelopeFailureSchemas(['already_exists', 'conflict']).strict.parse(answer.body);
}
