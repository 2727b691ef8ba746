import { createHash } from 'node:crypto';
import { describe, expect } from 'vitest';
import { sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { it } from './sandbox-under-test.js';

const {
  apiKey,
  community,
  confidentialClient,
  memberships,
  messengerBot,
  plans,
  publicClient,
  users,
  webhooks,
} = sandboxScenario;
const KINDS = [
  'clients',
  'communities',
  'drops',
  'keys',
  'memberships',
  'operators',
  'plans',
  'products',
  'reservations',
  'roles',
  'signups',
  'users',
  'webhooks',
];

type Records = Record<string, Record<string, unknown>[]>;

describe('the data in the control API', () => {
  it('lists every kind of record, without a secret or its hash', async ({ service }) => {
    const lists: Records = {};
    for (const kind of KINDS)
      lists[kind] = (await callControl<Records>(service, `GET /data/${kind}`)).body[kind] ?? [];
    expect(lists.users).toContainEqual(expect.objectContaining({ id: users.ada.id, messengerUserId: 1001 }));
    expect(lists.plans).toContainEqual(
      expect.objectContaining({ id: plans.monthly.id, renews: true, priceMinor: 900 }),
    );
    expect(lists.roles).toContainEqual({
      id: `${community.id}~${users.dana.id}`,
      communityId: community.id,
      userId: users.dana.id,
      role: 'OWNER',
      isActive: true,
    });
    expect(lists.clients).toContainEqual(
      expect.objectContaining({ clientId: publicClient.clientId, redirectUris: expect.any(Array) }),
    );
    expect(lists.memberships).toContainEqual(
      expect.objectContaining({ id: memberships.cleoCommunity.id, validUntil: '2026-06-05T14:05:00.000Z' }),
    );
    expect(lists.keys).toEqual([expect.objectContaining({ keyEnding: apiKey.slice(-4), revokedAt: null })]);
    const text = JSON.stringify(lists);
    for (const secret of [apiKey, confidentialClient.clientSecret, webhooks.community.secret]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(createHash('sha256').update(secret).digest('hex'));
    }
    expect((await callControl(service, 'GET /data/token_pairs')).status).toBe(404);
  });

  it('grants and ends a membership, each with its event', async ({ service }) => {
    const granted = await callControl<{ id: string }>(service, 'POST /data/memberships', {
      userId: users.ben.id,
      communityId: community.id,
      validUntil: '2026-07-01T00:00:00Z',
    });
    expect(granted.status).toBe(200);
    expect((await callControl(service, `DELETE /data/memberships/${granted.body.id}`, {})).status).toBe(204);
    const ended = (await service.server.operator.list('memberships')).records.find(
      ({ id }) => id === granted.body.id,
    );
    expect(ended).toMatchObject({ userId: users.ben.id, validUntil: '2026-06-12T14:05:00.000Z' });
    const types = (await service.server.control.deliveries.list()).events.flatMap(({ type, body }) =>
      JSON.stringify(body).includes(granted.body.id) ? [type] : [],
    );
    expect(types.toSorted()).toEqual(['membership.created', 'membership.updated']);
  });

  it('names wrong fields and unknown records', async ({ service }) => {
    const grant = { userId: users.ben.id, communityId: community.id };
    for (const [fields, status] of [
      [{ ...grant, validUntil: 'soon' }, 400],
      [{ ...grant, extra: 1 }, 400],
      [{ ...grant, validFrom: '2026-07-02T00:00:00Z', validUntil: '2026-07-01T00:00:00Z' }, 400],
      [{ ...grant, userId: community.id }, 404],
    ] as const) {
      const answer = await callControl(service, 'POST /data/memberships', fields);
      expect([answer.status, answer.body]).toMatchObject([
        status,
        { error: { message: expect.any(String) } },
      ]);
    }
    expect((await callControl(service, `DELETE /data/memberships/${users.ben.id}`, {})).status).toBe(404);
  });

  it('lists mail and messenger', async ({ service }) => {
    await service.browser().post('/sign-in/code', { email: users.ben.email });
    const { body } = await callControl<{ mail: { id: string; code: string; text: string }[] }>(
      service,
      `GET /mail?to=${users.ben.email}`,
    );
    const listed = body.mail[0];
    expect(listed?.code).toMatch(/^\d{6}$/);
    const one = (await callControl<{ html: string }>(service, `GET /mail/${listed?.id}`)).body;
    expect(one).toEqual({ ...listed, html: one.html });
    expect(one.html).toContain(listed?.code);
    expect((await callControl(service, 'GET /mail/unknown')).status).toBe(404);
    expect((await callControl(service, 'GET /messenger')).body).toMatchObject({
      communities: [{ id: community.id, botName: messengerBot, joinRequests: [] }],
    });
  });
});
