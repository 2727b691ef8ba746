import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openOperator, type RunningServer, startServer } from '@latchkey/server';
import { it as base, describe, expect } from 'vitest';
import { ADMIN_OPERATIONS } from '../src/admin/admin-operations.js';
import { latchkey, temporaryFile } from './call.js';

interface LiveService {
  readonly server: RunningServer;
  /** Runs an admin command on the database of the running server and returns its JSON output. */
  admin(...args: string[]): Promise<Record<string, string>>;
  readonly env: Record<string, string>;
}

const it = base.extend<{ live: LiveService }>({
  live: async ({ onTestFinished }, use) => {
    const database = `sqlite:${temporaryFile(onTestFinished)}`;
    const mailer = { send: async () => undefined };
    const server = await startServer({ database, mailer, port: 0 });
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

const ID = '5eed0000-0000-4000-8000-00000000000a';

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
    expect(ADMIN_OPERATIONS.map(({ name }) => name).sort()).toEqual(calls.sort());
  });

  it('runs every operation on the database of a running server', async ({ live }) => {
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
    expect(await admin('hand-over-product', '--product-id', product, '--owner-id', member)).toEqual({});
    expect(await admin('hand-over-product', '--product-id', product, '--owner-id', owner)).toEqual({});
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
    await admin('set-community-brand', '--community-id', community, '--accent', '#B4541A');
    await admin('set-community-brand', '--community-id', community, '--remove-accent', '--remove-logo');
    await admin('set-messenger-bot', '--community-id', community, '--name', 'club_bot');
    await admin('set-messenger-bot', '--community-id', community, '--remove');
    await admin('grant-provisioning', '--user-id', owner);
    const key = await admin(
      ...['create-api-key', '--owner-id', owner, '--name', 'Funnel'],
      ...['--permission', 'MEMBERSHIP_WRITE', '--permission', 'MEMBERSHIP_PROVISION'],
    );
    expect(key.key).toMatch(/^svc_[\w-]{43}$/);
    await admin('withdraw-provisioning', '--user-id', owner);
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
    expect(await admin('verify-client', '--client-id', client.clientId ?? '')).toMatchObject({
      name: 'Shop',
    });
    expect(await admin('withdraw-verification', '--client-id', client.clientId ?? '')).toEqual({});
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

  it('prints the result as text and marks secrets that are shown only once', async ({ live }) => {
    const created = await latchkey(['admin', 'create-user', '--email', 'ada@example.com'], live.env);
    expect(created).toMatchObject({ code: 0, err: expect.stringMatching(/^Database SQLite \S+$/) });
    expect(created.out).toMatch(/^Created the user ada@example\.com\.\n {2}id {2}[0-9a-f-]{36}$/);
    const id = /[0-9a-f-]{36}/.exec(created.out)?.[0] ?? '';
    const key = await latchkey(
      ['admin', 'create-api-key', '--owner-id', id, '--name', 'Reader', '--permission', 'MEMBERSHIP_READ'],
      live.env,
    );
    expect(key.out).toMatch(/\n {2}key {2}svc_[\w-]{43} {3}\(shown only once: store it now\)$/);
    expect(key.err).toMatch(/^Database SQLite \S+$/);
  });

  it('turns two-step sign-in off, and leaves no code that works', async ({ live }) => {
    const { id = '' } = await live.admin('create-user', '--email', 'ada@example.com');
    const db = new DatabaseSync((live.env.LATCHKEY_DATABASE ?? '').replace('sqlite:', ''));
    db.prepare('insert into second_factors values (?, ?, 0, 0)').run(id, 'JBSWY3DPEHPK3PXP');
    db.prepare('insert into recovery_codes values (?, ?, null)').run('hash', id);
    const off = ['admin', 'turn-off-two-step', '--email', ' Ada@Example.com '];
    const done = await latchkey([...off, '--json'], live.env);
    expect([done.code, done.out.split('\n').map((line) => JSON.parse(line))]).toEqual([0, [{ id }]]);
    for (const table of ['second_factors', 'recovery_codes'])
      expect(db.prepare(`select * from ${table}`).all()).toEqual([]);
    const mails = db.prepare('select recipient, facts from mail_outbox').all();
    expect(mails).toEqual([
      { recipient: 'ada@example.com', facts: expect.stringContaining('off-by-operator') },
    ]);
    db.close();
    expect(await latchkey(off, live.env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('The user ada@example.com does not have two-step sign-in on.'),
    });
  });

  it('exports everything about a user, to standard output or to a new file that only the user can read', async ({
    live,
    onTestFinished,
  }) => {
    const { id = '' } = await live.admin('create-user', '--email', 'ada@example.com');
    const db = new DatabaseSync((live.env.LATCHKEY_DATABASE ?? '').replace('sqlite:', ''));
    db.prepare('update users set name = ?').run('\u202eAda');
    db.close();
    const user = { id, email: 'ada@example.com', name: '\u202eAda' };
    const printed = await latchkey(['admin', 'export-user', '--id', id], live.env);
    expect(printed).toMatchObject({ code: 0, out: expect.stringMatching(/^\{\n {2}"exportedAt"/) });
    expect(printed.out).not.toContain('\u202e');
    expect(JSON.parse(printed.out)).toMatchObject({ user, memberships: [], cutOff: null });
    const file = temporaryFile(onTestFinished);
    const write = ['admin', 'export-user', '--email', ' Ada@Example.com ', '--out', file];
    expect(await latchkey(write, live.env)).toMatchObject({
      ...{ code: 0, out: `Exported the user ada@example.com.\n  out  ${file}` },
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ user });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await latchkey(write, live.env)).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('exists already') },
    });
  });

  it('deletes an account, prints the same when it is repeated, and lists what to do first', async ({
    live,
  }) => {
    const { id = '' } = await live.admin('create-user', '--email', 'ada@example.com');
    const { id: community = '' } = await live.admin('create-community', '--name', 'Club', '--owner-id', id);
    const remove = ['admin', 'delete-user', '--email', ' Ada@Example.com '];
    expect(await latchkey(remove, live.env)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `The account can't be deleted yet. Hand over the communities first: "Club" (${community}).`,
      ),
    });
    const { err } = await latchkey([...remove, '--json'], live.env);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'conflict' } });
    const { id: owner = '' } = await live.admin('create-user', '--email', 'owner@example.com');
    const role = ['assign-role', '--community-id', community];
    await live.admin(...role, '--user-id', owner, '--role', 'OWNER');
    await live.admin(...role, '--user-id', id, '--role', 'ADMIN');
    const done = await latchkey([...remove, '--json'], live.env);
    expect([done.code, done.out.split('\n').map((line) => JSON.parse(line))]).toEqual([0, [{ id }]]);
    expect(await live.admin('delete-user', '--id', id)).toEqual({ id });
    expect(await latchkey(remove, live.env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no user with the email address ada@example.com.'),
    });
  });

  it('prints the operator’s errors as text or JSON, with exit code 1', async ({ live }) => {
    const twice = ['admin', 'create-user', '--email', 'ada@example.com'];
    await latchkey(twice, live.env);
    expect(await latchkey(twice, live.env)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Another user has the email address ada@example.com.'),
    });
    const { err } = await latchkey([...twice, '--json'], live.env);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'already_exists', message: expect.any(String) } });
    const none = await latchkey(['admin', 'find-user', '--email', 'ben@example.com'], live.env);
    expect(none).toMatchObject({
      code: 1,
      err: expect.stringContaining('\nThere is no user with the email address ben@example.com.'),
    });
  });

  it('reports all missing and invalid values at once', async () => {
    const { code, err } = await latchkey(['admin', 'register-client', '--type', 'secret', '--name', 'Shop']);
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([
      '--type: must be public or confidential; got "secret".',
      '--owner-id is required: Owner’s user id.',
      '--scope is required: Scopes that the client may request: memberships.read, products.read.',
      expect.stringContaining('--database (or LATCHKEY_DATABASE) is required'),
      expect.stringContaining('--base-url (or LATCHKEY_BASE_URL) is required'),
    ]);
  });

  it.for([
    [['set-community-brand', '--community-id', ID], 'Pass --logo-url or --remove-logo'],
    [
      ['set-community-brand', '--community-id', ID, '--accent', '#b4541a', '--remove-accent'],
      'Pass --logo-url or --remove-logo',
    ],
    [
      ['set-community-brand', '--community-id', ID, '--accent', 'orange'],
      '--accent: Enter a colour as # and six hex digits',
    ],
    [['set-messenger-bot', '--community-id', ID], 'Pass either --name or --remove.'],
    [
      ['set-messenger-bot', '--community-id', ID, '--name', 'bot', '--remove'],
      'Pass either --name or --remove.',
    ],
    [['export-user'], 'Pass either --id or --email.'],
    [['delete-user'], 'Pass either --id or --email.'],
    [['delete-user', '--id', ID, '--email', 'ada@example.com'], 'Pass either --id or --email.'],
    [
      ['create-webhook', '--owner-id', ID, '--url', 'https://x.example'],
      '--community-id: Choose either a community or a product.',
    ],
    [
      ['create-api-key', '--owner-id', ID, '--name', 'Key', '--permission', 'ALL'],
      /^--permission: Choose from MEMBERSHIP_READ, .* Received "ALL"\.$/,
    ],
    [
      ['update-client', '--client-id', 'oac_5eed00000000000000000001', '--scope='],
      '--scope: must have at least one value',
    ],
    [
      ['find-user', '--email', 'ada'],
      '--email: Enter an e-mail address such as name@example.com. Received "ada".',
    ],
    [
      ['create-pricing-plan', '--community-id', ID, '--name', 'x', '--price-minor', '900', '--renews'],
      '--period-days: Enter a number of days: lifetime access never renews.',
    ],
    [
      ['create-drop-slot', '--community-id', ID, '--name', 'x', '--starts-at', 'soon'],
      '--starts-at: must be an ISO-8601',
    ],
  ] as const)('rejects %j with exit code 2', async ([args, text]) => {
    const env = { LATCHKEY_DATABASE: 'sqlite:./none.sqlite', LATCHKEY_BASE_URL: 'https://members.example' };
    const { code, err } = await latchkey(['admin', ...args], env);
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([expect.stringMatching(text)]);
  });

  it('reports every value that a schema of the service rejects, with its flag', async () => {
    const env = { LATCHKEY_DATABASE: 'sqlite:./none.sqlite', LATCHKEY_BASE_URL: 'https://members.example' };
    const plan = await latchkey(
      [
        ...['admin', 'create-pricing-plan', '--community-id', 'club', '--name', ' ', '--price-minor', 'nine'],
        ...['--currency', 'XYZ', '--renews', '--provider', 'cash', '--id', '1'],
      ],
      env,
    );
    expect(plan.code).toBe(2);
    expect(plan.err.split('\n').sort()).toEqual([
      '--community-id: Enter a UUID. Received "club".',
      '--currency: Enter an ISO 4217 currency code such as EUR. Received "XYZ".',
      '--id: Enter a UUID. Received "1".',
      '--name: Enter a name. Received " ".',
      '--period-days: Enter a number of days: lifetime access never renews.',
      expect.stringMatching(/^--price-minor: Enter whole minor units .* Received "nine"\.$/),
      '--provider: Choose card or crypto. Received "cash".',
    ]);
    const webhook = await latchkey(
      ['admin', 'create-webhook', '--owner-id', ID, '--product-id', 'guide', '--url', 'https://127.0.0.1/'],
      env,
    );
    expect(webhook.err.split('\n').sort()).toEqual([
      '--product-id: Enter a UUID. Received "guide".',
      '--url: The URL must lead to a public address. This host is not public. Received "https://127.0.0.1/".',
    ]);
    const client = await latchkey(
      [
        ...[
          'admin',
          'update-client',
          '--client-id',
          'shop',
          '--redirect-uri',
          'https://shop.example/callback',
        ],
        ...['--redirect-uri', 'http://shop.example/', '--widget-origin', 'https://shop.example/path'],
      ],
      env,
    );
    expect(client.err.split('\n').sort()).toEqual([
      '--client-id: Enter oac_ and 24 hex characters. Received "shop".',
      expect.stringMatching(/^--redirect-uri: Use https.* Received "http:\/\/shop\.example\/"\.$/),
      expect.stringMatching(
        /^--widget-origin: Enter an origin .* Received "https:\/\/shop\.example\/path"\.$/,
      ),
    ]);
  });

  it('does not migrate a database, and names the command that does', async ({ onTestFinished }) => {
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
