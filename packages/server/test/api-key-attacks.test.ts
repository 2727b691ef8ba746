import { once } from 'node:events';
import { connect } from 'node:net';
import { PATHS, PERMISSIONS } from '@latchkey/contract/constants';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { assignRole } from '../src/features/communities/roles.js';
import type { Database } from '../src/platform/database/open-database.js';
import { type ApiKeyRequest, callWithKey, checkPath } from './api-key-requests.js';
import type { ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community, plans } = sandboxScenario;

/** For each endpoint with a body, a request that is accepted. */
const POSTS = [
  [
    'provisionExternal',
    PATHS.provisionExternal,
    { communityId: community.id, externalOrderId: 'slow', email: 'slow@shop.example' },
  ],
  [
    'buyPlan',
    PATHS.buyPlan,
    {
      communityId: community.id,
      pricingPlanId: plans.monthly.id,
      externalId: 'slow',
      email: 'slow@shop.example',
      successUrl: 'https://shop.example/thanks',
      cancelUrl: 'https://shop.example/',
    },
  ],
  ['dropSignup', PATHS.dropSignup, { communityId: community.id, email: 'slow@shop.example' }],
] as const;

/** Returns what the database contains about the seeded community and one of its members. */
async function storedOf(db: Database) {
  const tables = [
    'memberships',
    'community_roles',
    'checkout_reservations',
    'community_emails',
    'messenger_accounts',
    'messenger_invites',
    'drop_slots',
  ] as const;
  const rows = tables.map(async (table) => [
    table,
    await db.selectFrom(table).selectAll().where('community_id', '=', community.id).execute(),
  ]);
  const signups = await db.selectFrom('drop_signups').selectAll().execute();
  const member = await db.selectFrom('users').selectAll().where('id', '=', users.ada.id).execute();
  return Object.fromEntries([...(await Promise.all(rows)), ['drop_signups', signups], ['users', member]]);
}

const percentEncoded = (id: string) =>
  [...id].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

/** Sends the head of a request and half of its body. The result sends the rest, and returns the response. */
async function beginPost(
  { server }: ServiceUnderTest,
  { path, key, json }: { path: string; key: string; json: unknown },
): Promise<() => Promise<string>> {
  const socket = connect(server.port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  const closed = once(socket, 'close');
  const body = JSON.stringify(json);
  const half = Math.floor(body.length / 2);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${server.port}`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  await new Promise((sent) => socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, half)}`, sent));
  return async () => {
    socket.write(body.slice(half));
    await closed;
    return text;
  };
}

describe('a request that sends its body slowly', () => {
  const begin = async (service: ServiceUnderTest, [path, json]: readonly [string, unknown]) => {
    const ownerId = users.dana.id;
    const stolen = { ownerId, name: 'Stolen', permissions: PERMISSIONS };
    const { id, key } = await service.server.operator.createApiKey(stolen);
    const finish = await beginPost(service, { path, key, json });
    // The server reads the first half before it answers a request that was sent later.
    await callWithKey(service, { path: checkPath() });
    return { id, ownerId, finish };
  };

  it.for(POSTS)(
    'to %s does nothing with a key that was revoked since it began',
    { tags: ['api-key.revocation-immediate'] },
    async ([, ...post], { service, db }) => {
      const { id, finish } = await begin(service, post);
      const before = await storedOf(db);
      await service.server.operator.end('keys', id);
      expect(await finish()).toMatch(/^HTTP\/1\.1 401 /);
      expect(await storedOf(db)).toEqual(before);
    },
  );

  it('does nothing with a grant or a role that was withdrawn since it began', async ({ service, db }) => {
    const { operator } = service.server;
    const [provisioning] = POSTS;
    const [, ...post] = provisioning;
    const { memberships: before } = await storedOf(db);
    const withoutGrant = await begin(service, post);
    await operator.change('users', users.dana.id, { mayProvision: false });
    expect(await withoutGrant.finish()).toMatch(/^HTTP\/1\.1 403 /);
    await operator.change('users', users.dana.id, { mayProvision: true });
    const withoutRole = await begin(service, post);
    const role = {
      communityId: community.id,
      userId: users.dana.id,
      role: 'OWNER',
      isActive: false,
    } as const;
    await assignRole(db, role);
    expect(await withoutRole.finish()).toMatch(/^HTTP\/1\.1 403 /);
    expect((await storedOf(db)).memberships).toEqual(before);
  });
});

/** Ben, who owns a community of his own, and a key of his with every permission. */
async function stranger({ server: { operator } }: ServiceUnderTest) {
  const ownerId = users.ben.id;
  await operator.change('users', ownerId, { mayProvision: true });
  const { id: own } = await operator.createCommunity({ name: 'Ben’s own', ownerId });
  const { key } = await operator.createApiKey({ ownerId, name: 'His', permissions: PERMISSIONS });
  return { own, key };
}

describe('a stranger with a key, a community and every permission of their own', () => {
  const victim = community.id;
  const email = users.ada.email;
  const order = { externalOrderId: 'order-1', email };
  const purchase = {
    pricingPlanId: plans.monthly.id,
    externalId: 'buyer-1',
    email,
    successUrl: 'https://evil.example/',
    cancelUrl: 'https://evil.example/',
  };
  const { provisionExternal, buyPlan, dropSignup } = PATHS;
  const post = (path: string, json: unknown) => ({ path, bytes: Buffer.from(JSON.stringify(json)) });
  const text = (path: string, json: string) => ({ path, bytes: Buffer.from(json) });
  type Attack = (own: string) => Omit<ApiKeyRequest, 'key'>;

  const attacks: readonly [name: string, attack: Attack, status: number][] = [
    ['reads a member', () => ({ path: checkPath(victim) }), 403],
    ['reads a member, with upper case', () => ({ path: checkPath(victim.toUpperCase()) }), 403],
    ['reads a member, with an encoded id', () => ({ path: checkPath(percentEncoded(victim)) }), 403],
    [
      'reads a member, with an id encoded twice',
      () => ({ path: checkPath(percentEncoded(victim).replaceAll('%', '%25')) }),
      400,
    ],
    ['reads a member by dots', (own) => ({ path: checkPath(`${own}/../${victim}`) }), 404],
    ['reads a member by encoded dots', (own) => ({ path: checkPath(`${own}%2f..%2f${victim}`) }), 400],
    ['reads a member by two ids', (own) => ({ path: checkPath(`${own},${victim}`) }), 400],
    ['reads a member by the query', (own) => ({ path: `${checkPath(victim)}?communityId=${own}` }), 403],
    [
      'reads a member by headers of proxies',
      (own) => ({
        path: checkPath(victim),
        headers: {
          'x-original-url': checkPath(own),
          'x-rewrite-url': checkPath(own),
          'x-http-method-override': 'GET',
        },
      }),
      403,
    ],
    ['provisions', () => post(provisionExternal, { communityId: victim, ...order }), 403],
    [
      'provisions, with the own id in the query',
      (own) => post(`${provisionExternal}?communityId=${own}`, { communityId: victim, ...order }),
      403,
    ],
    [
      'provisions, with the own id first',
      (own) =>
        text(
          provisionExternal,
          `{"communityId":"${own}","communityId":"${victim}","externalOrderId":"1","email":"${email}"}`,
        ),
      403,
    ],
    [
      'provisions, with the own id in the prototype',
      (own) =>
        text(
          provisionExternal,
          `{"__proto__":{"communityId":"${own}"},"communityId":"${victim}","externalOrderId":"1","email":"${email}"}`,
        ),
      403,
    ],
    [
      'provisions, with an id in the prototype alone',
      () =>
        text(
          provisionExternal,
          `{"__proto__":{"communityId":"${victim}"},"externalOrderId":"1","email":"${email}"}`,
        ),
      400,
    ],
    [
      'provisions two communities',
      (own) => post(provisionExternal, { communityId: [own, victim], ...order }),
      400,
    ],
    ['provisions with a space', () => post(provisionExternal, { communityId: `${victim} `, ...order }), 400],
    [
      'provisions with a line break',
      () => post(provisionExternal, { communityId: `${victim}\n`, ...order }),
      400,
    ],
    [
      'provisions with full-width digits',
      () => post(provisionExternal, { communityId: victim.replace('5', '５'), ...order }),
      400,
    ],
    ['provisions with braces', () => post(provisionExternal, { communityId: `{${victim}}`, ...order }), 400],
    [
      'provisions without hyphens',
      () => post(provisionExternal, { communityId: victim.replaceAll('-', ''), ...order }),
      400,
    ],
    [
      'provisions a plan of the community',
      (own) => post(provisionExternal, { communityId: own, pricingPlanId: plans.monthly.id, ...order }),
      404,
    ],
    [
      'provisions a member with the own community',
      (own) => post(provisionExternal, { communityId: own, onOverlap: 'replace', ...order }),
      200,
    ],
    [
      'provisions with the own id last',
      (own) =>
        text(
          provisionExternal,
          `{"communityId":"${victim}","communityId":"${own}","externalOrderId":"2","email":"${email}"}`,
        ),
      200,
    ],
    [
      'claims the messenger account of a member',
      (own) =>
        post(provisionExternal, {
          communityId: own,
          externalOrderId: '3',
          email: 'mallory@example.com',
          messengerUserId: users.ada.messengerUserId,
        }),
      200,
    ],
    ['sells', () => post(buyPlan, { communityId: victim, ...purchase }), 403],
    [
      'sells the plan as that of the own community',
      (own) => post(buyPlan, { communityId: own, ...purchase }),
      201,
    ],
    [
      'signs up for the drop',
      () => post(dropSignup, { communityId: victim, email: 'new@shop.example' }),
      403,
    ],
    [
      'signs up for the drop with the own community',
      (own) => post(dropSignup, { communityId: own, email: 'new@shop.example' }),
      404,
    ],
  ];

  it.for(attacks)(
    'who %s changes nothing of another community',
    async ([, attack, status], { service, db }) => {
      const { own, key } = await stranger(service);
      const before = await storedOf(db);
      const answer = await callWithKey(service, { ...attack(own), key });
      expect(answer.status, answer.text).toBe(status);
      expect(await storedOf(db)).toEqual(before);
      expect(answer.text).not.toContain('checkoutUrl');
    },
  );

  it('finds no member of another community by the account in the own one', async ({ service }) => {
    const { own, key } = await stranger(service);
    const { body } = await callWithKey(service, {
      path: checkPath(own, `${users.ada.messengerUserId}`),
      key,
    });
    expect(body).toMatchObject({ data: { isActive: false, membershipId: null } });
  });
});

describe('the number of a messenger account', () => {
  const IN_PATH = [
    '+1001',
    '-1',
    '0',
    '01001',
    '1001.0',
    '1e3',
    '0x3e9',
    ' 1001',
    '1001 ',
    '１００１',
    '١٠٠١',
    '1001,1002',
    '1001;x',
    '9007199254740993',
    '1'.repeat(400),
  ];
  const IN_BODY = [
    '"1001"',
    '[1001]',
    '1001.5',
    '-1001',
    '0',
    '-0',
    'true',
    '"١٠٠١"',
    '1e400',
    '9007199254740993',
    '{"valueOf":1001}',
    'null',
  ];

  it('is rejected in every other form, in a path and in a body', async ({ service }) => {
    for (const form of IN_PATH) {
      const answer = await callWithKey(service, { path: checkPath(community.id, encodeURIComponent(form)) });
      expect(answer.status, form).toBe(400);
    }
    for (const form of IN_BODY) {
      const json = `{"communityId":"${community.id}","externalOrderId":"1","messengerUserId":${form}}`;
      const answer = await callWithKey(service, { path: PATHS.provisionExternal, bytes: Buffer.from(json) });
      expect(answer.status, form).toBe(400);
    }
  });
});
