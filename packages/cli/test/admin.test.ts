import { readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type RunningServer, startServer } from '@latchkey/server';
import { RECORD_KINDS, recordKind } from '@latchkey/server/schemas';
import { it as base, describe, expect } from 'vitest';
import { ADMIN_COMMANDS, singularOf } from '../src/admin/admin-command.js';
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
  it('has commands for every operation of every kind of record', () => {
    const names = ADMIN_COMMANDS.map(({ verb, name }) => `${verb} ${name}`);
    expect(names).toHaveLength(new Set(names).size);
    for (const kind of RECORD_KINDS) {
      const one = singularOf(kind);
      expect(names).toEqual(expect.arrayContaining([`list ${kind}`, `find ${one}`, `create ${one}`]));
      const { change, end } = recordKind(kind);
      expect([names.includes(`change ${one}`), names.includes(`end ${one}`)]).toEqual([
        change !== undefined,
        end !== undefined,
      ]);
    }
  });

  it('runs every operation on the database of a running server', async ({ live }) => {
    const { server } = live;
    const admin = async (call: string, ...args: string[]) => await live.admin(...call.split(' '), ...args);
    const { id: owner = '' } = await admin(
      'create user --email Owner@Shop.example --messenger-user-id 77',
      ...['--name', 'Olive Owner'],
    );
    expect(await admin('find user owner@shop.example')).toMatchObject({
      record: { id: owner, name: 'Olive Owner', messengerUserId: 77 },
    });
    const { id: member = '' } = await admin('create user --email member@shop.example');
    expect(await admin('list users --text member@')).toMatchObject({ records: [{ id: member }], next: null });
    const { id: community = '' } = await admin(`create community --name Club --owner-id ${owner}`);
    const { id: product = '' } = await admin(
      `create product --owner-id ${owner} --name Guide --slug guide --type ebook`,
    );
    expect(await admin(`change product ${product} --owner-id ${member}`)).toEqual({});
    expect(await admin(`find product ${product}`)).toMatchObject({ record: { ownerId: member } });
    expect(await admin(`list products --owner-id ${owner}`)).toMatchObject({ records: [] });
    const { id: membership = '' } = await admin(
      `create membership --user-id ${member} --community-id ${community}`,
      ...['--valid-from', '2020-01-01', '--valid-until', '2999-01-31T12:00:00Z'],
    );
    await admin(
      `create membership --user-id ${member} --product-type digital_product --product-id ${product}`,
    );
    expect(await admin(`change membership ${membership} --valid-until=`)).toEqual({});
    expect(await admin(`find membership ${membership}`)).toMatchObject({ record: { validUntil: null } });
    expect(await admin(`end membership ${membership}`)).toEqual({});
    const role = await admin(
      `create role --community-id ${community} --user-id ${member} --role ADMIN --is-active=false`,
    );
    await admin(`change role ${role.id} --is-active`);
    await admin(`end role ${role.id}`);
    const invited = await admin(`create invitation --community-id ${community} --email fan@shop.example`);
    await admin(`end invitation ${invited.id}`);
    const plan = await admin(
      `create plan --community-id ${community} --name Monthly --price-minor 900 --period-days 30`,
      ...['--renews', '--provider', 'card', '--currency', 'USD', '--benefit', 'Chat', '--benefit', 'Calls'],
    );
    await admin(`change plan ${plan.id} --price-minor 1200 --description=`);
    expect(await admin(`find plan ${plan.id}`)).toMatchObject({
      record: { priceMinor: 1200, description: null, benefits: ['Chat', 'Calls'] },
    });
    await admin(`end plan ${plan.id}`);
    const drop = await admin(
      `create drop --community-id ${community} --name Spring --slots 10`,
      ...['--starts-at', '2999-01-01T00:00:00Z', '--ends-at', '2999-02-01T00:00:00Z'],
    );
    await admin(`create signup --community-id ${community} --email fan@shop.example`);
    expect(await admin(`list signups --drop-slot-id ${drop.id}`)).toMatchObject({
      records: [{ email: 'fan@shop.example' }],
    });
    await admin(`change drop ${drop.id} --slots=`);
    await admin(`end drop ${drop.id}`);
    await admin(`change community ${community} --accent #B4541A --messenger-bot club_bot`);
    await admin(`change community ${community} --accent= --logo-url= --messenger-bot=`);
    await admin(`change user ${owner} --may-provision`);
    const key = await admin(
      `create key --owner-id ${owner} --name Funnel`,
      ...['--permission', 'MEMBERSHIP_WRITE', '--permission', 'MEMBERSHIP_PROVISION'],
    );
    expect(key.key).toMatch(/^svc_[\w-]{43}$/);
    await admin(`change user ${owner} --may-provision=false`);
    await admin(`end key ${key.id}`);
    const hook = await admin(
      `create webhook --owner-id ${owner} --community-id ${community} --url https://shop.example/hooks`,
    );
    expect(hook.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await admin(`change webhook ${hook.id} --is-active=false`)).toEqual({ secret: hook.secret });
    const rotated = await admin(`change webhook ${hook.id} --rotate-secret --url https://shop.example/new`);
    expect(rotated.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(rotated.secret).not.toBe(hook.secret);
    await admin(`end webhook ${hook.id}`);
    const client = await admin(
      `create client --type confidential --name Shop --owner-id ${owner} --hosted-callback`,
      ...['--scope', 'memberships.read', '--scope', 'products.read', '--description', 'A shop'],
      ...['--redirect-uri', 'https://shop.example/auth/callback', '--widget-origin', 'https://shop.example'],
    );
    expect(client.clientSecret).toMatch(/^ocs_[0-9a-f]{48}$/);
    const allowed = async (id = '', origin = '') => {
      const answer = await fetch(`${server.baseUrl}/oauth/client/${id}?widget_origin=${origin}`);
      return ((await answer.json()) as { data: object }).data;
    };
    expect(await allowed(client.id, 'https://shop.example')).toMatchObject({
      name: 'Shop',
      widgetOriginAllowed: true,
    });
    const another = await admin(`change client ${client.id} --replace-secret`);
    expect(another.clientSecret).toMatch(/^ocs_[0-9a-f]{48}$/);
    expect(another.clientSecret).not.toBe(client.clientSecret);
    await admin(`change client ${client.id} --verified`);
    expect(await admin(`find client ${client.id}`)).toMatchObject({
      record: { verifiedAt: expect.any(String) },
    });
    await admin(`change client ${client.id} --verified=false`);
    const changed = await admin(
      `change client ${client.id} --type public --widget-origin=`,
      ...['--name', 'Shop 2'],
    );
    expect(changed).toEqual({ clientId: client.id });
    expect(await allowed(client.id, 'https://shop.example')).toMatchObject({
      name: 'Shop 2',
      widgetOriginAllowed: false,
    });
    await admin(`end client ${client.id}`);
    const found = await latchkey(['admin', 'find', 'client', client.id ?? ''], live.env);
    expect(found).toMatchObject({ code: 1, err: expect.stringContaining('There is no client with the id') });
    await admin('end user owner@shop.example');
  });

  it('prints the result as text and marks secrets that are shown only once', async ({ live }) => {
    const created = await latchkey(['admin', 'create', 'user', '--email', 'ada@example.com'], live.env);
    expect(created).toMatchObject({ code: 0, err: expect.stringMatching(/^Database SQLite \S+$/) });
    expect(created.out).toMatch(/^Created the user\.\n {2}id {2}[0-9a-f-]{36}$/);
    const id = /[0-9a-f-]{36}/.exec(created.out)?.[0] ?? '';
    const key = await latchkey(
      ['admin', 'create', 'key', '--owner-id', id, '--name', 'Reader', '--permission', 'MEMBERSHIP_READ'],
      live.env,
    );
    expect(key.out).toMatch(/\n {2}key {2}svc_[\w-]{43} {3}\(shown only once: store it now\)$/);
    expect(key.err).toMatch(/^Database SQLite \S+$/);
  });

  it('lists what tells records apart, and says when a new operator counts', async ({ live }) => {
    const { id: owner = '' } = await live.admin('create', 'user', '--email', 'owner@shop.example');
    const text = async (call: string) => (await latchkey(['admin', ...call.split(' ')], live.env)).out;
    await text(`create product --owner-id ${owner} --name Guide --slug guide --id ${ID}`);
    await text(`create membership --user-id ${owner} --product-type digital_product --product-id ${ID}`);
    expect(await text('list memberships')).toMatch(/ {2}active, owner@shop\.example, Guide$/);
    await text(`create client --type public --name Shop --owner-id ${owner} --scope memberships.read`);
    expect(await text('list clients')).toMatch(/ {2}Shop, public$/);
    expect(await text(`create operator --user-id ${owner} --role ADMIN`)).toContain(
      'Created the operator. It only counts if two-step sign-in was on already.',
    );
  });

  it('turns two-step sign-in off, and leaves no code that works', async ({ live }) => {
    const { id = '' } = await live.admin('create', 'user', '--email', 'ada@example.com');
    const db = new DatabaseSync((live.env.LATCHKEY_DATABASE ?? '').replace('sqlite:', ''));
    db.prepare('insert into second_factors values (?, ?, 0, 0)').run(id, 'JBSWY3DPEHPK3PXP');
    db.prepare('insert into recovery_codes values (?, ?, null)').run('hash', id);
    const off = ['admin', 'change', 'user', ' Ada@Example.com ', '--turn-off-two-step'];
    const done = await latchkey([...off, '--json'], live.env);
    expect([done.code, done.out.split('\n').map((line) => JSON.parse(line))]).toEqual([0, [{}]]);
    for (const table of ['second_factors', 'recovery_codes'])
      expect(db.prepare(`select * from ${table}`).all()).toEqual([]);
    const mails = db.prepare('select recipient, facts from mail_outbox').all();
    expect(mails).toEqual([
      { recipient: 'ada@example.com', facts: expect.stringContaining('off-by-operator') },
    ]);
    db.close();
    expect(await latchkey(off, live.env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('The user does not have two-step sign-in on.'),
    });
  });

  it('exports everything about a user, to standard output or to a new file that only the user can read', async ({
    live,
    onTestFinished,
  }) => {
    const { id = '' } = await live.admin('create', 'user', '--email', 'ada@example.com');
    const db = new DatabaseSync((live.env.LATCHKEY_DATABASE ?? '').replace('sqlite:', ''));
    db.prepare('update users set name = ?').run('\u202eAda');
    db.close();
    const user = { id, email: 'ada@example.com', name: '\u202eAda' };
    const printed = await latchkey(['admin', 'export', 'user', id], live.env);
    expect(printed).toMatchObject({ code: 0, out: expect.stringMatching(/^\{\n {2}"exportedAt"/) });
    expect(printed.out).not.toContain('\u202e');
    expect(JSON.parse(printed.out)).toMatchObject({ user, memberships: [], cutOff: null });
    const file = temporaryFile(onTestFinished);
    const write = ['admin', 'export', 'user', 'Ada@Example.com', '--out', file];
    expect(await latchkey(write, live.env)).toMatchObject({
      ...{ code: 0, out: `Exported the user Ada@Example.com.\n  out  ${file}` },
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ user });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await latchkey(write, live.env)).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('exists already') },
    });
  });

  it('prints what strangers wrote without lines and directions of their own, also in JSON', async ({
    live,
  }) => {
    const { id: owner = '' } = await live.admin('create', 'user', '--email', 'ada@example.com');
    const description = 'Tea\n  verified  true\u202e';
    const app = ['--owner-id', owner, '--name', 'Tea', '--type', 'public', '--description', description];
    const { clientId = '' } = await live.admin('create', 'client', ...app);
    const shown = await latchkey(['admin', 'find', 'client', clientId], live.env);
    expect(shown.out).toContain('Tea\\u000a  verified  true\\u202e');
    const { out } = await latchkey(['admin', 'find', 'client', clientId, '--json'], live.env);
    expect(JSON.parse(out)).toMatchObject({ record: { description } });
    expect(out).not.toContain('\u202e');
  });

  it('deletes an account, prints the same when it is repeated, and lists what to do first', async ({
    live,
  }) => {
    const { id = '' } = await live.admin('create', 'user', '--email', 'ada@example.com');
    const { id: community = '' } = await live.admin(
      'create',
      'community',
      '--name',
      'Club',
      '--owner-id',
      id,
    );
    const remove = ['admin', 'delete', 'user', ' Ada@Example.com '];
    expect(await latchkey(remove, live.env)).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `The account can't be deleted yet. Hand over the communities first: "Club" (${community}).`,
      ),
    });
    const { err } = await latchkey([...remove, '--json'], live.env);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'conflict' } });
    await live.admin('end', 'community', community);
    const done = await latchkey([...remove, '--json'], live.env);
    expect([done.code, done.out.split('\n').map((line) => JSON.parse(line))]).toEqual([0, [{ id }]]);
    expect(await live.admin('delete', 'user', id)).toEqual({ id });
    expect(await latchkey(remove, live.env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no user with the email address ada@example.com.'),
    });
  });

  it('prints the operator’s errors as text or JSON, with exit code 1', async ({ live }) => {
    const twice = ['admin', 'create', 'user', '--email', 'ada@example.com'];
    await latchkey(twice, live.env);
    expect(await latchkey(twice, live.env)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Another user has the email address ada@example.com.'),
    });
    const { err } = await latchkey([...twice, '--json'], live.env);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'already_exists', message: expect.any(String) } });
    const none = await latchkey(['admin', 'find', 'user', 'ben@example.com'], live.env);
    expect(none).toMatchObject({
      code: 1,
      err: expect.stringContaining('\nThere is no user with the email address ben@example.com.'),
    });
  });

  it('reports all missing and invalid values at once', async () => {
    const { code, err } = await latchkey(['admin', 'create', 'client', '--type', 'secret', '--name', 'Shop']);
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([
      '--owner-id is required: Id of the owner.',
      '--type: Choose public or confidential. Received "secret".',
      expect.stringContaining('--database (or LATCHKEY_DATABASE) is required'),
      expect.stringContaining('--base-url (or LATCHKEY_BASE_URL) is required'),
    ]);
  });

  it.for([
    [['change', 'community', ID, '--accent', 'orange'], '--accent: Enter a colour as # and six hex digits'],
    [['change', 'community', ID, '--messenger-bot', 'no bot'], '--messenger-bot: Enter 3 to 64 letters'],
    [['delete', 'user'], '<id> is required'],
    [['find', 'user', ID, 'more'], 'Unexpected argument "more"'],
    [
      ['create', 'key', '--owner-id', ID, '--name', 'Key', '--permission', 'ALL'],
      /^--permission: Choose from MEMBERSHIP_READ, .* Received "ALL"\.$/,
    ],
    [
      ['create', 'plan', '--community-id', ID, '--name', 'x', '--price-minor', '900', '--renews'],
      '--period-days: Enter a number of days: lifetime access never renews.',
    ],
    [
      ['create', 'drop', '--community-id', ID, '--name', 'x', '--starts-at', 'soon'],
      '--starts-at: Enter a day and a time with a time zone',
    ],
    [['list', 'users', '--limit', '0'], '--limit: must be at least 1'],
    [['change', 'user', ID], 'Say what to change, for example: --may-provision'],
    [['end', 'signup', ID], "unknown command 'signup'"],
  ] as const)('rejects %j with exit code 2', async ([args, text]) => {
    const env = { LATCHKEY_DATABASE: 'sqlite:./none.sqlite', LATCHKEY_BASE_URL: 'https://members.example' };
    const { code, err } = await latchkey(['admin', ...args], env);
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([expect.stringMatching(text)]);
  });

  it('reports every value that a schema of the service rejects, with its flag', async ({ live }) => {
    const env = { LATCHKEY_DATABASE: 'sqlite:./none.sqlite', LATCHKEY_BASE_URL: 'https://members.example' };
    const plan = await latchkey(
      [
        ...['admin', 'create', 'plan', '--community-id', 'club', '--name', ' ', '--price-minor', 'nine'],
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
    const client = await latchkey(
      [
        ...['admin', 'change', 'client', 'shop', '--redirect-uri', 'https://shop.example/callback'],
        ...['--redirect-uri', 'http://shop.example/', '--widget-origin', 'https://shop.example/path'],
      ],
      env,
    );
    expect(client.err.split('\n').sort()).toEqual([
      expect.stringMatching(/^--redirect-uri: Use https.* Received "http:\/\/shop\.example\/"\.$/),
      expect.stringMatching(
        /^--widget-origin: Enter an origin .* Received "https:\/\/shop\.example\/path"\.$/,
      ),
    ]);
    // Rules that need the service's settings follow once the database is open.
    const webhook = await latchkey(
      ['admin', 'create', 'webhook', '--owner-id', ID, '--community-id', ID, '--url', 'https://127.0.0.1/'],
      live.env,
    );
    expect(webhook).toMatchObject({
      code: 1,
      err: expect.stringContaining('--url: The URL must lead to a public address.'),
    });
  });

  it('does not migrate a database, and names the command that does', async ({ onTestFinished }) => {
    const file = temporaryFile(onTestFinished);
    const { code, err } = await latchkey([
      ...['admin', 'find', 'user', 'ada@example.com'],
      '--database',
      `sqlite:${file}`,
    ]);
    expect(code).toBe(1);
    expect(err).toContain('latchkey migrate');
  });
});
