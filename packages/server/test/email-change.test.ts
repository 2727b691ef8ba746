import { describe, expect } from 'vitest';
import { callWithKey, keyWith } from './api-key-requests.js';
import { errorsOn, fillIn, hiddenFields } from './area-forms.js';
import { locationOf } from './browser.js';
import { parsePage } from './pages/page-document.js';
import { type Client, it, newestCode, otherCode, type SignInWorld, signIn } from './sign-in-world.js';
import { codeAt, DAY, enrol, MINUTE, wrongCode } from './two-step-world.js';

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

  it('ends the API keys that were created since the day before, and keeps the earlier ones', async ({
    world,
  }) => {
    const [owner, thief] = [world.from('192.0.2.1'), world.from('192.0.2.2')];
    await signIn(world, owner, OLD);
    const { service } = world;
    const ownerId = await idOf(world, OLD);
    const earlier = await keyWith(service, ['CHECKOUT_WRITE'], ownerId);
    service.clock.advance(DAY + 1);
    await signIn(world, thief, OLD);
    const since = [await keyWith(service, ['CHECKOUT_WRITE'], ownerId)];
    await change(world, thief);
    since.push(await keyWith(service, ['CHECKOUT_WRITE'], ownerId));
    await undo(owner, await undoLink(world));
    const path = '/api/checkout/buy-plan';
    const statuses = [earlier, ...since].map(
      async (key) => (await callWithKey(service, { path, key, json: {} })).status,
    );
    expect(await Promise.all(statuses)).toEqual([400, 401, 401]);
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
