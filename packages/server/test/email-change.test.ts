import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Database, openDatabase } from '../src/platform/database/open-database.js';
import { callWithKey } from './api-key-requests.js';
import { errorsOn, fillIn, hiddenFields } from './area-forms.js';
import { type FormFields, locationOf } from './browser.js';
import { parsePage } from './pages/page-document.js';
import { it as base, type Client, newestCode, otherCode, type SignInWorld, signIn } from './sign-in-world.js';
import { beginSetup, codeAt, confirmSetup, DAY, enrol, MINUTE, wrongCode } from './two-step-world.js';

const it = base.extend<{ db: Database }>({
  db: async ({ database, world: _ }, use) => {
    const db = await openDatabase(database);
    await use(db);
    await db.destroy();
  },
});

const PAGE = '/account/email';
const CONFIRM = `${PAGE}/confirm`;
const OLD = 'eve@example.com';
const NEW = 'eve@new.example';

const begin = (client: Client, email: string, code?: string) =>
  fillIn(client.browser, { path: PAGE }, { email, ...(code !== undefined && { code }) });

const confirm = async (client: Client, code: string) =>
  await fillIn(client.browser, { path: CONFIRM }, { code });

/** Changes the address of a user who has just signed in. */
async function change(world: SignInWorld, client: Client, to = NEW): Promise<void> {
  expect(locationOf(await begin(client, to))).toBe(CONFIRM);
  expect(locationOf(await confirm(client, newestCode(world, to)))).toBe('/account/profile?done=email');
}

const idOf = async (world: SignInWorld, email: string) =>
  (await world.service.server.operator.findUser(email)).id;

const isSignedIn = async (client: Client) => (await client.get('/account')).status === 200;

/** Sends the mail to the earlier address, and returns the path of its link. */
async function undoLink({ mails, service }: SignInWorld, email = OLD): Promise<string> {
  await service.server.runBackgroundWork();
  const mail = mails.findLast(({ to, text }) => to === email && text.includes('/email-change/undo'));
  const [link = ''] = /http\S+\/email-change\/undo\S+/.exec(mail?.text ?? '') ?? [];
  expect(link).not.toBe('');
  return link.slice(service.baseUrl.length);
}

/** Submits a form of the account's, as its page does, and returns the page of the answer. */
async function submit(client: Client, account: string, path: string, fields: FormFields): Promise<string> {
  const answer = await client.browser.post(path, { account, submission: randomUUID(), ...fields });
  expect([path, [200, 303].includes(answer.status)]).toEqual([path, true]);
  return await answer.text();
}

/** Accepts the only invitation to a role. */
async function accept(world: SignInWorld, client: Client, { db, email }: { db: Database; email: string }) {
  await signIn(world, client, email);
  const invitations = db.selectFrom('invitations').select('id').where('email', '=', email);
  const { id: invitation } = await invitations.executeTakeFirstOrThrow();
  await submit(client, await idOf(world, email), '/account/invitations/accept', { invitation });
}

const undo = (client: Client, link: string) => client.browser.post(link, {});

describe('a new email address', () => {
  it('is the user’s once its code was entered, and then the earlier one is nobody’s', async ({ world }) => {
    const [client, elsewhere] = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    await signIn(world, elsewhere, OLD);
    await signIn(world, client, OLD);
    const id = await idOf(world, OLD);
    const sent = world.mails.length;
    expect(locationOf(await begin(client, ' EVE@New.example '))).toBe(CONFIRM);
    expect(world.mails.slice(sent).map(({ to }) => to)).toEqual([NEW]);
    expect(await idOf(world, OLD)).toBe(id);
    await confirm(client, newestCode(world, NEW));
    expect(await idOf(world, NEW)).toBe(id);
    expect([await isSignedIn(client), await isSignedIn(elsewhere)]).toEqual([true, false]);
    await signIn(world, elsewhere, NEW);
    expect(await (await elsewhere.get('/account/profile')).text()).toContain(`value="${id}"`);
    const stranger = world.from('192.0.2.3');
    await signIn(world, stranger, OLD);
    expect(await idOf(world, OLD)).not.toBe(id);
  });

  it('needs a sign-in of the last ten minutes, or a second factor with two-step sign-in', async ({
    world,
  }) => {
    const client = world.from('192.0.2.1');
    await signIn(world, client, OLD);
    world.service.clock.advance(10 * MINUTE + 1);
    const $ = parsePage(await (await client.get(PAGE)).text());
    expect($(`form[action="${PAGE}"]`)).toHaveLength(0);
    const account = await idOf(world, OLD);
    expect(locationOf(await client.browser.post(PAGE, { account, email: NEW }))).toBe(PAGE);

    const two = world.from('192.0.2.2');
    const { secret } = await enrol(world, two, 'two@example.com');
    expect(await errorsOn(await begin(two, NEW, await wrongCode(world, secret)))).toHaveProperty('code');
    expect((await begin(two, NEW, '')).status).toBe(400);
    expect(world.mails.filter(({ to }) => to === NEW)).toEqual([]);
    expect(locationOf(await begin(two, NEW, await codeAt(world, secret)))).toBe(CONFIRM);
  });

  it('is treated alike if another account has it, until its holder has entered the code', async ({
    world,
  }) => {
    const [taken, free] = ['owner@example.com', 'nobody@example.com'];
    await signIn(world, world.from('192.0.2.9'), taken);
    const client = world.from('192.0.2.1');
    await signIn(world, client, OLD);
    const answers: string[] = [];
    for (const email of [taken, free]) {
      const begun = await begin(client, email);
      const page = await (await client.get(CONFIRM)).text();
      const wrong = await confirm(client, otherCode(newestCode(world, email)));
      const texts = [locationOf(begun), page, await wrong.text(), `${wrong.status}`];
      answers.push(texts.join('\n').replaceAll(email, 'EMAIL'));
    }
    expect(answers[0]).toBe(answers[1]);
    await begin(client, taken);
    const refused = await confirm(client, newestCode(world, taken));
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('You have another account with this address');
    expect(await idOf(world, OLD)).not.toBe(await idOf(world, taken));
  });

  it('goes to one of two accounts that change to it at the same time', async ({ world }) => {
    const clients = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    const codes: string[] = [];
    for (const [index, client] of clients.entries()) {
      await signIn(world, client, `racer${index}@example.com`);
      await begin(client, NEW);
      codes.push(newestCode(world, NEW));
    }
    const fields = await Promise.all(clients.map(({ browser }) => hiddenFields(browser, CONFIRM, CONFIRM)));
    const answers = await Promise.all(
      clients.map(({ browser }, index) =>
        browser.post(CONFIRM, { ...fields[index], code: codes[index] ?? '' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  });

  it('has a code for this browser and account only, which signs nobody in', async ({ world }) => {
    const client = world.from('192.0.2.1');
    await signIn(world, client, OLD);
    await begin(client, NEW);
    const code = newestCode(world, NEW);
    const [, secret = ''] = [...client.browser.cookies].find(([name]) => name.includes('email_change')) ?? [];
    const other = world.from('192.0.2.2');
    await signIn(world, other, 'other@example.com');
    const account = await idOf(world, 'other@example.com');
    expect(locationOf(await other.browser.post(CONFIRM, { account, code }))).toBe(PAGE);
    const cookie = (name: string) =>
      [...other.browser.cookies, [name, secret]].map(([key, value]) => `${key}=${value}`).join('; ');
    const headers = { origin: world.service.baseUrl, 'sec-fetch-site': 'same-origin' };
    const [changeName = ''] = [...client.browser.cookies.keys()].filter((name) =>
      name.includes('email_change'),
    );
    const stolen = await other.browser.post(
      CONFIRM,
      { account, code },
      { ...headers, cookie: cookie(changeName) },
    );
    expect(stolen.status).toBe(400);
    const attemptName = changeName.replace('email_change', 'sign_in_attempt');
    const asSignIn = { ...headers, cookie: `${attemptName}=${secret}` };
    expect((await other.browser.post('/sign-in/verify', { code }, asSignIn)).status).toBe(400);
    expect(locationOf(await confirm(client, code))).toBe('/account/profile?done=email');
    expect(locationOf(await client.browser.post(CONFIRM, { account: await idOf(world, NEW), code }))).toBe(
      PAGE,
    );
  });

  it('expires with its code, after five tries, and can be begun five times a day', async ({ world }) => {
    const client = world.from('192.0.2.1');
    await signIn(world, client, OLD);
    await begin(client, NEW);
    const code = newestCode(world, NEW);
    for (let tries = 0; tries < 5; tries += 1)
      expect((await confirm(client, otherCode(code))).status).toBe(400);
    expect(locationOf(await client.get(CONFIRM))).toBe(PAGE);
    const statuses: number[] = [];
    for (let changes = 0; changes < 5; changes += 1) {
      statuses.push((await begin(client, `eve${changes}@new.example`)).status);
    }
    expect(statuses).toEqual([303, 303, 303, 303, 429]);
    world.service.clock.advance(10 * MINUTE + 1);
    expect(locationOf(await client.get(CONFIRM))).toBe(PAGE);
    expect(await idOf(world, OLD)).toBeTruthy();
  });

  it('cannot be the present one, and a sign-in that the earlier one has begun does not end', async ({
    world,
  }) => {
    const client = world.from('192.0.2.1');
    const { secret } = await enrol(world, client, OLD);
    const half = world.from('192.0.2.2');
    await half.ask(OLD);
    expect(locationOf(await half.enter(newestCode(world, OLD)))).toContain('/sign-in/second-step');
    const code = await codeAt(world, secret);
    expect(await errorsOn(await begin(client, OLD, code))).toEqual({
      email: 'This is the address of your account already.',
    });
    world.service.clock.advance(MINUTE);
    expect(locationOf(await begin(client, NEW, await codeAt(world, secret)))).toBe(CONFIRM);
    await confirm(client, newestCode(world, NEW));
    world.service.clock.advance(MINUTE);
    const headers = { origin: world.service.baseUrl, 'sec-fetch-site': 'same-origin' };
    const late = { code: await codeAt(world, secret), continue: '/account' };
    expect((await half.browser.post('/sign-in/second-step', late, headers)).status).toBe(400);
  });
});

describe('the earlier address', () => {
  it('is told, and undoes the change with a button behind the link: everyone is signed out', async ({
    world,
  }) => {
    const [owner, thief] = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    await signIn(world, thief, OLD);
    const id = await idOf(world, OLD);
    await change(world, thief);
    const link = await undoLink(world);
    const mail = world.mails.findLast(({ to }) => to === OLD);
    expect(mail?.text).not.toContain(NEW);
    for (let opened = 0; opened < 2; opened += 1) expect((await owner.get(link)).status).toBe(200);
    expect(await idOf(world, NEW)).toBe(id);
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await owner.browser.post(link, {}, crossSite)).status).toBe(403);
    expect((await undo(owner, link)).status).toBe(200);
    expect(await idOf(world, OLD)).toBe(id);
    expect(await isSignedIn(thief)).toBe(false);
    expect((await undo(owner, link)).status).toBe(404);
    await world.service.server.runBackgroundWork();
    const told = world.mails.findLast(({ to }) => to === NEW);
    expect(told?.subject).toBe('Your e-mail address was changed back');
  });

  it('ends what the account got since the day before, and keeps what it had earlier', async ({
    world,
    db,
  }) => {
    const [owner, thief, crony] = [world.from('192.0.2.1'), world.from('192.0.2.2'), world.from('192.0.2.3')];
    const { service } = world;
    await signIn(world, owner, OLD);
    const ownerId = await idOf(world, OLD);
    const community = await service.server.operator.createCommunity({ name: 'Tea', ownerId });
    const create = async (client: Client, name: string): Promise<string> => {
      const url = `https://${name}.example/`;
      const subject = `community:${community.id}`;
      await submit(client, ownerId, '/developer/webhooks', { subject, url });
      const app = { name, type: 'confidential', redirectUris: url, scopes: 'memberships.read' };
      await submit(client, ownerId, '/developer/clients', app);
      const key = { name, permissions: 'CHECKOUT_WRITE' };
      const page = await submit(client, ownerId, '/developer/api-keys', key);
      return /svc_[\w-]{43}/.exec(page)?.[0] ?? '';
    };
    const keys = [await create(owner, 'earlier')];
    service.clock.advance(DAY + 1);
    await signIn(world, thief, OLD);
    keys.push(await create(thief, 'before'));
    await change(world, thief);
    keys.push(await create(thief, 'after'));
    const hooks = () =>
      db.selectFrom('webhooks').select(['url', 'is_active']).orderBy('url', 'desc').execute();
    const apps = () =>
      db.selectFrom('oauth_clients').select(['name', 'redirect_uris']).orderBy('created_at').execute();
    const roles = () =>
      db.selectFrom('community_roles').select(['role', 'is_active']).orderBy('role').execute();

    const rolesPath = `/seller/communities/${community.id}/roles`;
    for (const email of ['crony@example.com', 'later@example.com'])
      await submit(thief, ownerId, rolesPath, { email, role: 'ADMIN' });
    await accept(world, crony, { db, email: 'crony@example.com' });
    const { secret } = await beginSetup(thief.browser);
    expect((await confirmSetup(thief.browser, await codeAt(world, secret))).status).toBe(200);
    expect((await hooks()).map(({ is_active }) => is_active)).toEqual([1, 1, 1]);
    expect((await roles()).map(({ is_active }) => is_active)).toEqual([1, 1]);

    expect((await undo(owner, await undoLink(world))).status).toBe(200);
    await signIn(world, owner, OLD);
    const path = '/api/checkout/buy-plan';
    const statuses = keys.map(async (key) => (await callWithKey(service, { path, key, json: {} })).status);
    expect(await Promise.all(statuses)).toEqual([400, 401, 401]);
    expect(await hooks()).toEqual([
      { url: 'https://earlier.example/', is_active: 1 },
      { url: 'https://before.example/', is_active: 0 },
      { url: 'https://after.example/', is_active: 0 },
    ]);
    expect((await apps()).map(({ redirect_uris }) => redirect_uris)).toEqual([
      '["https://earlier.example/"]',
      '[]',
      '[]',
    ]);
    expect(await roles()).toEqual([
      { role: 'ADMIN', is_active: 0 },
      { role: 'OWNER', is_active: 1 },
    ]);
    expect(await db.selectFrom('invitations').selectAll().execute()).toEqual([]);
  });

  it('gets a new secret for an earlier webhook whose secret the thief saw', async ({ world, db }) => {
    const [owner, thief] = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    await signIn(world, owner, OLD);
    const ownerId = await idOf(world, OLD);
    const { id } = await world.service.server.operator.createCommunity({ name: 'Tea', ownerId });
    const webhook = { subject: `community:${id}`, url: 'https://shop.example/' };
    await submit(owner, ownerId, '/developer/webhooks', webhook);
    const hook = () => db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
    const before = await hook();
    world.service.clock.advance(DAY + 1);
    await signIn(world, thief, OLD);
    await change(world, thief);
    const shown = await submit(thief, ownerId, `/developer/webhooks/${before.id}/secret`, {});
    expect(shown).toContain(before.secret);
    expect((await undo(owner, await undoLink(world))).status).toBe(200);
    expect(await hook()).toMatchObject({ is_active: 0, secret: expect.not.stringMatching(before.secret) });
  });

  it('takes nothing from administrators who have removed the user, and turns off no earlier two-step sign-in', async ({
    world,
    db,
  }) => {
    const [owner, buyer] = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    const { operator } = world.service.server;
    const { secret } = await enrol(world, owner, OLD);
    const ownerId = await idOf(world, OLD);
    const { id: communityId } = await operator.createCommunity({ name: 'Tea', ownerId });
    const roles = `/seller/communities/${communityId}/roles`;
    await submit(owner, ownerId, roles, { email: 'buyer@example.com', role: 'OWNER' });
    await accept(world, buyer, { db, email: 'buyer@example.com' });
    const account = await idOf(world, 'buyer@example.com');
    await submit(buyer, account, `${roles}/change`, { userId: ownerId, change: 'remove' });
    await begin(owner, NEW, await codeAt(world, secret));
    expect(locationOf(await confirm(owner, newestCode(world, NEW)))).toBe('/account/profile?done=email');
    expect((await undo(owner, await undoLink(world))).status).toBe(200);
    expect(await db.selectFrom('community_roles').select(['user_id', 'is_active']).execute()).toEqual([
      { user_id: account, is_active: 1 },
    ]);
    await owner.ask(OLD);
    expect(locationOf(await owner.enter(newestCode(world, OLD)))).toContain('/sign-in/second-step');
  });

  it('is told if the account is deleted while it could undo the change', async ({ world }) => {
    const thief = world.from('192.0.2.2');
    await signIn(world, thief, OLD);
    const id = await idOf(world, OLD);
    await change(world, thief);
    await submit(thief, id, '/account/delete', { email: NEW });
    const sent = world.mails.length;
    await world.service.server.runBackgroundWork();
    const told = world.mails.slice(sent).map(({ to, subject }) => [to, subject]);
    expect(told.toSorted()).toEqual([OLD, NEW].map((to) => [to, 'Your account was deleted']).toSorted());
  });

  it('wins over later changes, whose links end', async ({ world }) => {
    const [owner, thief] = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    await signIn(world, thief, OLD);
    const id = await idOf(world, OLD);
    await change(world, thief);
    const link = await undoLink(world);
    await change(world, thief, 'eve@second.example');
    const later = await undoLink(world, NEW);
    await begin(thief, 'eve@third.example');
    expect((await undo(owner, link)).status).toBe(200);
    expect(await idOf(world, OLD)).toBe(id);
    expect((await undo(thief, later)).status).toBe(404);
    expect((await thief.browser.post(CONFIRM, { account: id, code: '000000' })).status).toBe(303);
    expect(await idOf(world, OLD)).toBe(id);
  });

  it('can undo for seven days, and not while another account has it', async ({ world }) => {
    const [owner, thief] = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    await signIn(world, thief, OLD);
    const id = await idOf(world, OLD);
    await change(world, thief);
    const link = await undoLink(world);
    await signIn(world, owner, OLD);
    expect((await undo(owner, link)).status).toBe(409);
    expect(await idOf(world, NEW)).toBe(id);
    await fillIn(owner.browser, { path: '/account/delete' }, { email: OLD });
    world.service.clock.advance(7 * DAY - MINUTE);
    expect((await owner.get(link)).status).toBe(200);
    expect((await undo(owner, link)).status).toBe(200);
    expect(await idOf(world, OLD)).toBe(id);
    await signIn(world, thief, OLD);
    await change(world, thief);
    const late = await undoLink(world);
    world.service.clock.advance(7 * DAY);
    expect([(await owner.get(late)).status, (await undo(owner, late)).status]).toEqual([404, 404]);
  });
});
