import { ENDPOINTS, envelopeFailureSchemas } from '@latchkey/contract';
import { PATHS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { expect } from 'vitest';
import { type ApiKeyResponse, callWithKey } from './api-key-requests.js';
import { type ServiceUnderTest, START } from './service-under-test.js';

const { users, community } = sandboxScenario;

const failure = envelopeFailureSchemas(['not_found', 'already_exists', 'conflict']).strict;

export async function signUp(
  service: ServiceUnderTest,
  fields: Record<string, unknown> = {},
): Promise<ApiKeyResponse> {
  return await callWithKey(service, {
    path: PATHS.dropSignup,
    json: { communityId: community.id, email: 'grace@example.com', ...fields },
  });
}

/** Asserts that a response matches the strict success schema, and returns the result. */
export function resultOf({ status, body }: ApiKeyResponse) {
  expect(status).toBe(201);
  return ENDPOINTS.dropSignup.success.body.strict.parse(body).data;
}

/** Asserts that a response matches the strict failure schema, and returns status and errorCode. */
export function failureOf({ status, body }: ApiKeyResponse) {
  return `${status} ${failure.parse(body).errorCode}`;
}

/** Creates a community of Dana's with drops, whose times count from the start of the test. */
export async function communityWith(
  { server: { operator } }: ServiceUnderTest,
  ...drops: readonly { starts: number; ends?: number; slots?: number }[]
): Promise<{ communityId: string; dropIds: string[] }> {
  const { id: communityId } = await operator.createCommunity({ name: 'Tea Club', ownerId: users.dana.id });
  const dropIds: string[] = [];
  for (const { starts, ends, slots = null } of drops) {
    const endsAt = ends === undefined ? null : START + ends;
    const slot = { communityId, name: 'Drop', slots, startsAt: START + starts, endsAt };
    dropIds.push((await operator.createDropSlot(slot)).id);
  }
  return { communityId, dropIds };
}
