import { rejectionSchemas } from '@latchkey/contract';
import { PERMISSIONS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { callWithKey, keyWith } from './api-key-requests.js';
import { fuzzEndpoint } from './malformed-requests.js';
import { PROVISION_PATH, postProvision, provision } from './provision-requests.js';
import { it } from './service-under-test.js';

const { users, community, plans } = sandboxScenario;
const UNKNOWN_ID = '5eed0000-0000-4000-8000-00000000ffff';
const BEN = { email: users.ben.email };

describe('API key', () => {
  it('needs both permissions', { tags: ['api-key.provision-permission', 'provision.private'] }, async ({
    service,
  }) => {
    const others = PERMISSIONS.filter((permission) => permission !== 'MEMBERSHIP_PROVISION');
    for (const permissions of [others, ['MEMBERSHIP_PROVISION'] as const]) {
      const answer = await postProvision(service, BEN, await keyWith(service, permissions));
      expect(answer.status).toBe(403);
      rejectionSchemas.strict.parse(answer.body);
    }
    const both = await keyWith(service, ['MEMBERSHIP_WRITE', 'MEMBERSHIP_PROVISION']);
    expect((await postProvision(service, BEN, both)).status).toBe(200);
  });

  it('needs a role in the community of the body', {
    tags: ['api-key.role-checked', 'api-key.provision-permission'],
  }, async ({ service }) => {
    const { id } = await service.server.operator.createCommunity({ name: 'Tea', ownerId: users.ben.id });
    expect((await postProvision(service, { ...BEN, communityId: id })).status).toBe(403);
    expect((await postProvision(service, { ...BEN, communityId: UNKNOWN_ID })).status).toBe(404);
  });
});

describe('field', () => {
  it.for([
    ['communityId', undefined, 'communityId is missing.', '[provision.community-id]'],
    ['communityId', 'main', 'communityId must be a UUID.', '[provision.malformed-uuid]'],
    ['communityId', 1, 'communityId must be a string.', '[provision.community-id]'],
    ['externalOrderId', undefined, 'externalOrderId is missing.', '[provision.external-order-id]'],
    ['externalOrderId', '', 'externalOrderId must not be empty.', ''],
    ['externalOrderId', 1, 'externalOrderId must be a string.', ''],
    ['externalOrderId', 'x'.repeat(256), 'externalOrderId must have at most 255 characters.', ''],
    ['externalOrderId', 'a\u0000b', 'externalOrderId must be text without NUL.', ''],
    ['externalOrderId', 'a\ud800', 'externalOrderId must be text without NUL.', ''],
    ['email', undefined, 'email or messengerUserId is required.', '[provision.email-or-messenger]'],
    ['email', 'ben', 'email must be an email address.', '[provision.email-format]'],
    ['email', null, 'email must be a string.', ''],
    ['messengerUserId', 0, 'messengerUserId must be at least 1.', '[provision.messenger-user-id-min]'],
    ['messengerUserId', 1.5, 'messengerUserId must be an integer.', '[provision.messenger-user-id-min]'],
    ['messengerUserId', '1002', 'messengerUserId must be an integer.', ''],
    ['messengerUserId', 2 ** 53, 'messengerUserId must be an integer.', ''],
    ['pricingPlanId', 'gold', 'pricingPlanId must be a UUID.', '[provision.malformed-uuid]'],
    [
      'validFrom',
      'tomorrow',
      'validFrom must be an ISO-8601 date or date-time.',
      '[provision.malformed-timestamp]',
    ],
    ['validUntil', '2026-02-30', 'validUntil must be an ISO-8601 date or date-time.', ''],
    ['validUntil', 1_800_000_000_000, 'validUntil must be a string.', ''],
    ['validUntil', null, 'validUntil must be a string.', '[provision.valid-until-omitted]'],
    [
      'onOverlap',
      'merge',
      'onOverlap must be one of extend, replace, error.',
      '[provision.malformed-on-overlap]',
    ],
    ['onOverlap', null, 'onOverlap must be one of extend, replace, error.', ''],
  ] as const)('%s that is %j gets 400: %s', async ([name, value, message], { service }) => {
    const answer = await postProvision(service, { ...BEN, [name]: value });
    expect(answer.status).toBe(400);
    expect(rejectionSchemas.strict.parse(answer.body)).toMatchObject({ message, path: PROVISION_PATH });
  });

  it('that is missing or malformed gets 400, and each is named once', {
    tags: [
      'provision.community-id',
      'provision.external-order-id',
      'provision.email-or-messenger',
      'provision.email-format',
      'provision.messenger-user-id-min',
      'provision.malformed-uuid',
      'provision.malformed-timestamp',
      'provision.malformed-on-overlap',
      'api-key.status-validation',
    ],
  }, async ({ service }) => {
    const json = {
      communityId: 'secret',
      email: 'secret',
      messengerUserId: -4711,
      validFrom: 'secret',
      onOverlap: 'secret',
    };
    const answer = await callWithKey(service, { path: PROVISION_PATH, json });
    expect(answer.status).toBe(400);
    const { message } = rejectionSchemas.strict.parse(answer.body);
    for (const name of [...Object.keys(json), 'externalOrderId']) expect(message).toContain(name);
    expect(answer.text).not.toMatch(/secret|4711/);
  });

  it('that is unknown is ignored, also when JavaScript knows its name', async ({ service }) => {
    const text = `{"communityId":"${community.id}","externalOrderId":"1","email":"ben@example.com","__proto__":{"onOverlap":"x"},"constructor":1,"more":[{}]}`;
    const answer = await callWithKey(service, { path: PROVISION_PATH, bytes: Buffer.from(text) });
    expect(answer.status, answer.text).toBe(200);
  });
});

describe('any request', () => {
  it('gets a response in the shape of its status, never a 5xx', {
    tags: ['api-key.envelope', 'rejection.before-endpoint'],
    timeout: 120_000,
  }, async ({ service }) => {
    const valid = {
      communityId: community.id,
      externalOrderId: 'order-1',
      email: 'fuzz@shop.example',
      messengerUserId: 99_001,
      pricingPlanId: plans.lifetime.id,
      validFrom: '2026-06-12',
      validUntil: '2027-06-12T00:00:00Z',
      onOverlap: 'replace',
    };
    const statuses = await fuzzEndpoint(service, { endpoint: 'provisionExternal', valid, runs: 500 });
    expect(statuses.get(400)).toBeGreaterThan(230);
    expect(statuses.get(200)).toBeGreaterThan(10);
    expect(await provision(service, BEN)).toMatchObject({ status: 'created' });
  });
});
