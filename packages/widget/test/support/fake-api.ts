import { createFakeService, fakeFetch } from '@latchkey/conformance/scripted-service/browser';
import { expect } from 'chai';
import type { Membership, SessionSnapshot } from '../../src/session/index.js';

export const community = {
  id: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0002',
  productType: 'community',
  isActive: true,
  validFrom: '2025-01-01T00:00:00.000Z',
} satisfies Membership;

export const ada = { sub: '7b0c0f5e-6b36-4d3e-9a55-0d2f6a1f0001', email: 'ada@example.com' };

/** Expects that Ada is signed in. Her `sub` is the service's: every client may receive another one. */
export function expectAda({ user }: { user?: SessionSnapshot['user'] | undefined }): void {
  expect(user?.email).to.equal(ada.email);
  expect(user?.sub).to.match(/^[\da-f-]{36}$/i);
}

/** Returns the ids of a session's memberships. A service may write them in any letter case, and add fields. */
export function idsOf({
  memberships,
}: {
  memberships?: SessionSnapshot['memberships'] | undefined;
}): string[] | undefined {
  return memberships?.map(({ id }) => id.toLowerCase());
}

/** Creates a `fetch` that answers as the service does, records its requests, and can be scripted. */
export function createFakeApi() {
  const service = createFakeService({
    credentials: 'unchecked',
    visitor: { ...ada, memberships: [community] },
    newToken: (kind, serial) => `${kind}-${serial}`,
    // Tests with a fake time wait for no real one.
    latencyMs: 0,
  });
  const fetch = fakeFetch(service);
  const { requests: seen, log, count, on } = service;
  return { seen, log, count, on, fetch };
}
