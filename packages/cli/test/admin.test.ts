import { openOperator, type RunningServer, startServer } from '@latchkey/server';
import { it as base, describe, expect } from 'vitest';
import { ADMIN_COMMANDS } from '../src/admin/admin-commands.js';
import { latchkey, temporaryFile } from './call.js';

interface LiveService {
  readonly server: RunningServer;
  /** Runs an admin command on the database of the running server, and reads what `--json` prints. */
  admin(...args: string[]): Promise<Record<string, string>>;
  readonly env: Record<string, string>;
}

const it = base.extend<{ live: LiveService }>({
  live: async ({ onTestFinished }, use) => {
    const database = `sqlite:${temporaryFile(onTestFinished)}`;
    const mailer = { send: async () => undefined };
    const server = await startServer({ database, mailer, port: 0, payments: 'simulated' });
    const env = { LATCHKEY_DATABASE: database, LATCHKEY_BASE_URL: server.baseUrl };
    const admin = async (...args: string[]) => {
      const { code, out, err } = await latchkey(['admin', ...args, '--json'], env);
      if (code !== 0) throw new Error(err);
      return JSON.parse(out) as Record<string, string>;
    };
    await use({ server, env, admin });
    await server.close();
  },
});

describe('latchkey admin', () => {
  it('has a command for each call of the operator', async ({ live }) => {
    const { operator, close } = await openOperator({
      database: live.env.LATCHKEY_DATABASE ?? '',
      baseUrl: live.server.baseUrl,
    });
    await close();
    const calls = Object.keys(operator).map((call) =>
      call.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    );
    expect(ADMIN_COMMANDS.map(({ name }) => name).sort()).toEqual(calls.sort());
  });

  it('sets up a whole service beside the running one, from the first user to the first key and hook', async ({
    live,
  }) => {
    const { admin, server } = live;
    const { id: owner = '' } = await admin(
      'create-user',
      '--email',
      'Owner@Shop.example',
      '--name',
      'Olive Owner',
      '--messenger-user-id',
      '77',
    );
    expect(await admin('find-user', '--email', 'owner@shop.example')).toEqual({
      id: owner,
      name: 'Olive Owner',
    });
    const { id: member = '' } = await admin('create-user', '--email', 'member@shop.example');
    const { id: community = '' } = await admin('create-community', '--name', 'Club', '--owner-id', owner);
    const { id: product = '' } = await admin(
      ...['create-product', '--owner-id', owner, '--name', 'Guide', '--slug', 'guide', '--type', 'ebook'],
    );
    const { id: membership = '' } = await admin(
      ...[
        'grant-membership',
        '--user-id',
        member,
        '--product-type',
        'community',
        '--community-id',
        community,
      ],
      ...['--valid-from', '2020-01-01', '--valid-until', '2999-01-31T12:00:00Z'],
    );
    await admin(
      'grant-membership',
      '--user-id',
      member,
      '--product-type',
      'digital_product',
      '--product-id',
      product,
    );
    expect(await admin('end-membership', '--id', membership)).toEqual({});
    await admin(
      'assign-role',
      '--community-id',
      community,
      '--user-id',
      member,
      '--role',
      'ADMIN',
      '--inactive',
    );
    await admin(
      ...['create-pricing-plan', '--community-id', community, '--name', 'Monthly', '--price-minor', '900'],
      ...['--period-days', '30', '--renews', '--provider', 'card', '--currency', 'USD'],
    );
    await admin(
      ...['create-drop-slot', '--community-id', community, '--name', 'Spring', '--slots', '10'],
      ...['--starts-at', '2999-01-01T00:00:00Z', '--ends-at', '2999-02-01T00:00:00Z'],
    );
    await admin('set-messenger-bot', '--community-id', community, '--name', 'club_bot');
    await admin('set-messenger-bot', '--community-id', community, '--remove');
    await admin('grant-provisioning', '--user-id', owner);
    const key = await admin(
      ...['create-api-key', '--owner-id', owner, '--name', 'Funnel'],
      ...['--permission', 'MEMBERSHIP_WRITE', '--permission', 'MEMBERSHIP_PROVISION'],
    );
    expect(key.key).toMatch(/^svc_[\w-]{43}$/);
    await admin('revoke-api-key', '--id', key.id ?? '', '--owner-id', owner);
    const hook = await admin(
      ...[
        'create-webhook',
        '--owner-id',
        owner,
        '--community-id',
        community,
        '--url',
        'https://shop.example/hooks',
      ],
    );
    expect(hook.secret).toMatch(/^[0-9a-f]{64}$/);
    const saveHook = ['save-webhook', '--id', hook.id ?? '', '--owner-id', owner];
    expect(await admin(...saveHook, '--is-active=false')).toEqual({ secret: hook.secret });
    const rotated = await admin(...saveHook, '--rotate-secret', '--url', 'https://shop.example/new-hooks');
    expect(rotated.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(rotated.secret).not.toBe(hook.secret);
    const client = await admin(
      ...['register-client', '--type', 'confidential', '--name', 'Shop', '--owner-id', owner],
      ...[
        '--scope',
        'memberships.read',
        '--scope',
        'products.read',
        '--redirect-uri',
        'https://shop.example/auth/callback',
      ],
      ...['--widget-origin', 'https://shop.example', '--hosted-callback', '--description', 'A shop'],
    );
    expect(client.clientSecret).toMatch(/^ocs_[0-9a-f]{48}$/);
    const allowed = async (id = '', origin = '') => {
      const answer = await fetch(`${server.baseUrl}/oauth/client/${id}?widget_origin=${origin}`);
      return ((await answer.json()) as { data: object }).data;
    };
    expect(await allowed(client.clientId, 'https://shop.example')).toMatchObject({
      name: 'Shop',
      widgetOriginAllowed: true,
    });
    const another = await admin('replace-client-secret', '--client-id', client.clientId ?? '');
    expect(another.clientSecret).toMatch(/^ocs_[0-9a-f]{48}$/);
    expect(another.clientSecret).not.toBe(client.clientSecret);
    const changed = await admin(
      'update-client',
      '--client-id',
      client.clientId ?? '',
      '--name',
      'Shop 2',
      '--type',
      'public',
      '--widget-origin=',
    );
    expect(changed).toEqual({ clientId: client.clientId });
    expect(await allowed(client.clientId, 'https://shop.example')).toMatchObject({
      name: 'Shop 2',
      widgetOriginAllowed: false,
    });
  });

  it('tells people what was done, and that a secret is told this once', async ({ live }) => {
    const created = await latchkey(['admin', 'create-user', '--email', 'ada@example.com'], live.env);
    expect(created).toMatchObject({ code: 0, err: '' });
    expect(created.out).toMatch(/^Created ada@example\.com\.\n {2}id {2}[0-9a-f-]{36}$/);
    const id = /[0-9a-f-]{36}/.exec(created.out)?.[0] ?? '';
    const key = await latchkey(
      ['admin', 'create-api-key', '--owner-id', id, '--name', 'Reader', '--permission', 'MEMBERSHIP_READ'],
      live.env,
    );
    expect(key.out).toMatch(/\n {2}key {2}svc_[\w-]{43} {3}\(told this once: keep it now\)$/);
    expect(key.err).toBe('');
  });

  it('says in words, or in JSON, what the operator refused, with exit code 1', async ({ live }) => {
    const twice = ['admin', 'create-user', '--email', 'ada@example.com'];
    await latchkey(twice, live.env);
    expect(await latchkey(twice, live.env)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('A user has the id'),
    });
    const { err } = await latchkey([...twice, '--json'], live.env);
    expect(JSON.parse(err)).toEqual({ error: { code: 'already_exists', message: expect.any(String) } });
    const none = await latchkey(['admin', 'find-user', '--email', 'ben@example.com'], live.env);
    expect(none).toMatchObject({ code: 1, err: 'There is no user with the address ben@example.com.' });
  });

  it('asks for what a command cannot go without, all at once', async () => {
    const { code, err } = await latchkey(['admin', 'register-client', '--type', 'secret', '--name', 'Shop']);
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([
      '--type is "secret": give public or confidential.',
      expect.stringContaining('--owner-id is missing: give a UUID'),
      '--scope is missing: give memberships.read or products.read.',
      expect.stringContaining('--database (or the variable LATCHKEY_DATABASE) is missing'),
      expect.stringContaining('--base-url (or the variable LATCHKEY_BASE_URL) is missing'),
    ]);
  });

  it('leaves a database that lacks migrations alone', async ({ onTestFinished }) => {
    const file = temporaryFile(onTestFinished);
    const { code, err } = await latchkey([
      'admin',
      'find-user',
      '--email',
      'ada@example.com',
      '--database',
      `sqlite:${file}`,
    ]);
    expect(code).toBe(1);
    expect(err).toContain('latchkey migrate');
  });
});
