import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { RECORDS, type RecordKind } from '../src/features/operator/record-kinds.js';
import { createTotpSecret, totpCode } from '../src/features/two-step/authenticator-app.js';
import type { Database } from '../src/platform/database/open-database.js';
import { errorsOn, fillIn } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { type Browser, type FormFields, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { CONFIDENTIAL, PUBLIC, type ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';
import { MINUTE } from './two-step-world.js';

const { users, community, plans, publicClient } = sandboxScenario;
const { ada, ben, dana, eve } = users;
const KINDS = Object.keys(RECORDS) as RecordKind[];
const HOUR = 60 * MINUTE;

interface World {
  service: ServiceUnderTest;
  db: Database;
}

/** Browser of an operator, after a two-step sign-in. `send` adds a current code. */
interface OperatorBrowser {
  browser: Browser;
  send(path: string, typed: FormFields): Promise<Response>;
  /** Returns the code that the operator's app shows. */
  code(): Promise<string>;
}

async function operator(
  { service, db }: World,
  { id, email }: { id: string; email: string },
  role: 'VIEWER' | 'ADMIN' = 'ADMIN',
): Promise<OperatorBrowser> {
  await service.server.operator.create('operators', { userId: id, role });
  const secret = await createTotpSecret();
  const app = { user_id: id, secret, last_step: 0, created_at: service.clock.now() };
  await db.insertInto('second_factors').values(app).execute();
  const browser = await signedIn(service, email);
  const code = () => totpCode(secret, service.clock.now());
  const send = async (path: string, typed: FormFields) => {
    service.clock.advance(MINUTE);
    return await fillIn(browser, { path }, { code: await code(), ...typed });
  };
  return { browser, send, code };
}

async function pageOf(browser: Browser, path: string) {
  const response = await browser.get(path);
  expect([path, response.status]).toEqual([path, 200]);
  return parsePage(await response.text());
}

const statusOf = async (browser: Browser, path: string) => (await browser.get(path)).status;

/** One path of each kind of page. */
const PAGES = [
  '/operator',
  '/operator/audit',
  ...KINDS.map((kind) => `/operator/${kind}`),
  `/operator/users/${ada.id}`,
  '/operator/operators/new',
  `/operator/clients/${PUBLIC}/change`,
  `/operator/clients/${PUBLIC}/end`,
];
const FORMS = PAGES.slice(-3);

describe('access to the operator area', () => {
  it('leads visitors through the sign-in', async ({ service }) => {
    const response = await service.browser().get('/operator/users');
    expect(locationOf(response)).toBe('/sign-in?continue=%2Foperator%2Fusers');
  });

  it('is the answer to an unknown path for users without a role', async ({ service }) => {
    const browser = await signedIn(service, dana.email);
    const unknown = await browser.get('/nowhere');
    expect(unknown.status).toBe(404);
    const text = await unknown.text();
    for (const path of PAGES) {
      const response = await browser.get(path);
      expect([path, response.status, await response.text()]).toEqual([path, 404, text]);
    }
    const form = { account: dana.id, code: '000000' };
    const unknownForm = await (await browser.post('/nowhere', form)).text();
    for (const path of FORMS) {
      const response = await browser.post(path, form);
      expect([path, response.status, await response.text()]).toEqual([path, 404, unknownForm]);
    }
  });

  it('needs two-step sign-in, and a sign-in with it in the last twelve hours', async ({ service, db }) => {
    await service.server.operator.create('operators', { userId: ada.id, role: 'ADMIN' });
    const early = await signedIn(service, ada.email);
    const without = await early.get('/operator');
    expect(without.status).toBe(403);
    const first = await without.text();
    expect(first).toContain('ask to be appointed again');
    expect(parsePage(first)('a.button').attr('href')).toBe('/account/two-step');

    service.clock.advance(MINUTE);
    const app = { user_id: ada.id, secret: await createTotpSecret(), last_step: 0 };
    await db
      .insertInto('second_factors')
      .values({ ...app, created_at: service.clock.now() })
      .execute();
    const tooLate = await early.get('/operator');
    expect([tooLate.status, await tooLate.text()]).toEqual([
      403,
      expect.stringContaining('appointment again'),
    ]);
    await service.server.operator.change('operators', ada.id, { role: 'ADMIN' });
    const again = await early.get('/operator/users');
    expect(again.status).toBe(403);
    const text = await again.text();
    expect(text).not.toContain(ben.email);
    expect(parsePage(text)('form[action="/sign-out"] [name=continue]').attr('value')).toBe(
      '/sign-in?continue=%2Foperator',
    );
    const post = await early.post(`/operator/clients/${PUBLIC}/end`, { account: ada.id });
    expect(post.status).toBe(403);

    const later = await signedIn(service, ada.email);
    expect(await statusOf(later, '/operator')).toBe(200);
    service.clock.advance(12 * HOUR);
    expect(await statusOf(later, '/operator')).toBe(403);
  });

  it('ends with the role, also for a request that was sent before', async ({ service, db }) => {
    const { browser } = await operator({ service, db }, ada, 'VIEWER');
    expect(await statusOf(browser, '/operator')).toBe(200);
    await service.server.operator.end('operators', ada.id);
    expect(await statusOf(browser, '/operator')).toBe(404);
  });

  it('has a menu entry for operators only', async ({ service, db }) => {
    const { browser } = await operator({ service, db }, ada, 'VIEWER');
    const entry = 'nav.area-nav a[href="/operator"]';
    expect((await pageOf(browser, '/account'))(entry)).toHaveLength(1);
    expect((await pageOf(await signedIn(service, ben.email), '/account'))(entry)).toHaveLength(0);
  });

  it('forbids caching and framing', async ({ service, db }) => {
    const { browser } = await operator({ service, db }, ada, 'VIEWER');
    const { headers } = await browser.get('/operator/users');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });
});

describe('reading in the operator area', () => {
  it('lists and opens records of every kind, without their secrets', async ({ service, db }) => {
    const { browser } = await operator({ service, db }, ada, 'VIEWER');
    await service.server.operator.create('reservations', { userId: ben.id, pricingPlanId: plans.monthly.id });
    for (const kind of ['signups', 'invitations'] as const)
      await service.server.operator.create(kind, { communityId: community.id, email: 'new@example.com' });
    const shown: string[] = [];
    const home = await pageOf(browser, '/operator');
    expect(
      home('.stat a')
        .toArray()
        .map((link) => home(link).attr('href')),
    ).toEqual(KINDS.map((kind) => `/operator/${kind}`));
    for (const kind of KINDS) {
      const list = await pageOf(browser, `/operator/${kind}`);
      const href = list('th[scope="row"] a').first().attr('href') ?? expect.fail(`no ${kind}`);
      const record = await pageOf(browser, href);
      expect(record('#fields dt').length).toBeGreaterThan(2);
      expect(record('a[href$="/change"], a[href$="/end"]')).toHaveLength(0);
      expect(list('a[href$="/new"]')).toHaveLength(0);
      shown.push(list.html(), record.html());
    }
    const secrets = [
      ...(await db.selectFrom('oauth_clients').select('secret_hash as secret').execute()),
      ...(await db.selectFrom('api_keys').select('key_hash as secret').execute()),
      ...(await db.selectFrom('webhooks').select('secret').execute()),
      ...(await db.selectFrom('second_factors').select('secret').execute()),
      ...(await db.selectFrom('user_sessions').select('id_hash as secret').execute()),
    ].flatMap(({ secret }) => secret ?? []);
    expect(secrets.length).toBeGreaterThan(4);
    for (const secret of [...secrets, sandboxScenario.apiKey]) expect(shown.join()).not.toContain(secret);
  });

  it('searches, limits to what belongs to a record, and says when nothing matches', async ({
    service,
    db,
  }) => {
    const { browser } = await operator({ service, db }, ada, 'VIEWER');
    const found = await pageOf(browser, '/operator/users?text=BEN%40');
    expect(found('tbody tr')).toHaveLength(1);
    expect(textOf(found, 'tbody tr')).toContain(ben.email);
    const none = await pageOf(browser, '/operator/users?text=nobody');
    expect(textOf(none, '.empty-title')).toBe('Nothing matches.');
    const record = await pageOf(browser, `/operator/communities/${community.id}`);
    const href = record('#related a[href^="/operator/plans"]').attr('href') ?? '';
    expect(href).toBe(`/operator/plans?communityId=${community.id}`);
    const limited = await pageOf(browser, href);
    expect(limited('tbody tr').length).toBeGreaterThan(1);
    expect(textOf(limited, 'main')).toContain(`Community: ${community.name}`);
    const { length } = (await pageOf(browser, `/operator/plans?communityId=${ada.id}`))('tbody tr');
    expect(length).toBe(0);
  });

  it('pages through a list, and knows no page that no list links to', async ({ service, db }) => {
    const { browser } = await operator({ service, db }, ada, 'VIEWER');
    for (let number = 0; number < 60; number += 1) {
      await service.server.operator.create('users', { email: `many-${number}@example.com` });
    }
    const first = await pageOf(browser, '/operator/users?text=many-');
    expect(first('tbody tr')).toHaveLength(50);
    const next = first('nav[aria-label="Pages"] a').attr('href') ?? '';
    const second = await pageOf(browser, next);
    expect(second('tbody tr')).toHaveLength(10);
    const emails = [first, second].flatMap(($) =>
      $('th[scope="row"] a')
        .toArray()
        .map((a) => $(a).text()),
    );
    expect(new Set(emails).size).toBe(60);
    for (const path of [
      '/operator/users?after=x',
      '/operator/users?after=9999999999999999~x',
      '/operator/nothing',
      '/operator/constructor',
      '/operator/users/nobody',
      '/operator/plans/new',
      '/operator/keys/new',
    ]) {
      expect([path, await statusOf(browser, path)]).toEqual([path, 404]);
    }
  });

  it('mentions records by name, with links', async ({ service, db }) => {
    const { browser } = await operator({ service, db }, ada, 'VIEWER');
    const $ = await pageOf(browser, `/operator/plans/${plans.monthly.id}`);
    expect(textOf($, `#fields a[href="/operator/communities/${community.id}"]`)).toBe(community.name);
    expect(textOf($, '#fields dl')).toContain('Days of access per payment');
  });
});

describe('audit log in the operator area', () => {
  it('lists who changed what, newest first, and is limited by actor, subject and action', async ({
    service,
    db,
  }) => {
    const { browser, send } = await operator({ service, db }, ada);
    await send(`/operator/plans/${plans.monthly.id}/end`, {});
    const plan = await pageOf(browser, `/operator/plans/${plans.monthly.id}`);
    const href = plan('#fields a[href^="/operator/audit"]').attr('href') ?? '';
    const $ = await pageOf(browser, href);
    const [entry = ''] = $('tbody tr')
      .toArray()
      .map((row) => $(row).text());
    for (const text of ['plan.change', `user …${ada.id.slice(-8)}`, `plan …${plans.monthly.id.slice(-8)}`])
      expect(entry).toContain(text);
    expect(entry).not.toContain(ada.email);
    for (const [query, isListed] of [
      [`actorId=${ada.id}&action=plan.change`, true],
      [`actorId=${ben.id}&action=plan.change`, false],
      ['action=plan.create&actorId=x', false],
      ['action=nothing&after=0', false],
    ] as const) {
      const rows = (await pageOf(browser, `/operator/audit?${query}`))('tbody tr');
      expect([query, rows.length > 0]).toEqual([query, isListed]);
    }
  });
});

describe('ending records in the operator area', () => {
  const end = `/operator/clients/${PUBLIC}/end`;

  it('says the consequence, and asks for what the record is called and for a code', async ({
    service,
    db,
  }) => {
    const { browser, send } = await operator({ service, db }, ada);
    const $ = await pageOf(browser, end);
    expect(textOf($, '.notes')).toBe(
      'Deletes a client with its codes, tokens and consents.You can’t undo it.',
    );
    const clients = async () => (await service.server.operator.counts()).clients;
    const before = await clients();
    expect(Object.keys(await errorsOn(await send(end, { confirmation: 'other' })))).toEqual(['confirmation']);
    const confirmation = textOf($, 'main h2');
    for (const code of ['', '000000']) {
      const response = await send(end, { confirmation, code });
      expect([response.status, Object.keys(await errorsOn(response))]).toEqual([400, ['code']]);
    }
    expect(await clients()).toBe(before);
    expect(locationOf(await send(end, { confirmation }))).toBe('/operator/clients?done=ended');
    expect(await clients()).toBe(before - 1);
    expect(await statusOf(browser, end)).toBe(404);
  });

  it('asks for no typed confirmation of what can be undone, and says why something can’t end', async ({
    service,
    db,
  }) => {
    const { send, browser } = await operator({ service, db }, ada);
    const archive = `/operator/plans/${plans.monthly.id}/end`;
    expect((await pageOf(browser, archive))('#confirmation')).toHaveLength(0);
    expect((await send(archive, {})).status).toBe(303);
    expect((await service.server.operator.find('plans', plans.monthly.id)).record.archivedAt).not.toBeNull();
    const role = `/operator/roles/${community.id}~${dana.id}/end`;
    const refused = await send(role, {});
    expect(refused.status).toBe(400);
    expect((await errorsOn(refused)).content).toContain('needs an active owner');
  });

  it('needs an ADMIN, a code that was never used, the service’s own form and its account', async ({
    service,
    db,
  }) => {
    const { browser } = await operator({ service, db }, ben, 'VIEWER');
    for (const path of FORMS) {
      expect([path, await statusOf(browser, path)]).toEqual([path, 404]);
      const sent = await browser.post(path, { account: ben.id, confirmation: PUBLIC, verified: 'true' });
      expect([path, sent.status]).toEqual([path, 404]);
    }
    const admin = await operator({ service, db }, ada);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const fields = { account: ada.id, confirmation: PUBLIC };
    expect((await admin.browser.post(end, fields, foreign)).status).toBe(403);
    expect((await admin.browser.post(end, { ...fields, account: ben.id })).status).toBe(409);
    const code = await admin.code();
    const sent = await Promise.all(
      [PUBLIC, CONFIDENTIAL].map((id) =>
        admin.browser.post(`/operator/clients/${id}/end`, { ...fields, confirmation: id, code }),
      ),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 400]);
  });

  it('stops after twenty wrong codes', async ({ service, db }) => {
    const { send } = await operator({ service, db }, ada);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 21; attempt += 1) {
      statuses.push((await send(end, { confirmation: PUBLIC, code: '000000' })).status);
    }
    expect([statuses.at(19), statuses.at(20)]).toEqual([400, 429]);
  });
});

describe('changing records in the operator area', () => {
  const change = `/operator/clients/${PUBLIC}/change`;

  it('verifies a client, and leaves what was not changed as it is', async ({ service, db }) => {
    const { browser, send } = await operator({ service, db }, ada);
    const stale = await pageOf(browser, change);
    expect(stale('#name').attr('value')).toBe(publicClient.name);
    for (const secret of ['type', 'replaceSecret']) expect(stale(`#${secret}`)).toHaveLength(0);
    const shown = stale('input[name="shown"]').attr('value') ?? '';
    const name = 'Renamed meanwhile';
    await service.server.operator.change('clients', PUBLIC, { name });
    const sent = { description: 'Coffee', name: publicClient.name, shown };
    expect(locationOf(await send(change, sent))).toBe(`/operator/clients/${PUBLIC}?done=changed`);
    expect((await send(change, { verified: 'true' })).status).toBe(303);
    const { record } = await service.server.operator.find('clients', PUBLIC);
    expect(record).toMatchObject({ name, description: 'Coffee', redirectUris: expect.any(Array) });
    expect(record.verifiedAt).toEqual(expect.any(String));
    expect((await send(change, { verified: 'false' })).status).toBe(303);
    expect((await service.server.operator.find('clients', PUBLIC)).record.verifiedAt).toBeNull();
  });

  it('verifies only what the operator has seen', async ({ service, db }) => {
    const { browser, send } = await operator({ service, db }, ada);
    const verified = async () => (await service.server.operator.find('clients', PUBLIC)).record.verifiedAt;
    await service.server.operator.change('clients', PUBLIC, { verified: false });
    const shown = (await pageOf(browser, change))('input[name="shown"]').attr('value') ?? '';
    await service.server.operator.change('clients', PUBLIC, { name: 'Your Bank' });
    const refused = await send(change, { verified: 'true', shown });
    const page = parsePage(await refused.clone().text());
    expect([refused.status, await errorsOn(refused)]).toEqual([
      400,
      { verified: 'It has changed since you opened the form. Check it again.' },
    ]);
    expect(page('#name').attr('value')).toBe('Your Bank');
    expect(await verified()).toBeNull();
    const now = page('input[name="shown"]').attr('value') ?? '';
    expect((await send(change, { verified: 'true', shown: now })).status).toBe(303);
    expect(await verified()).toEqual(expect.any(String));
  });

  it('changes texts, numbers, lists and times, and clears them', async ({ service, db }) => {
    const { send } = await operator({ service, db }, ada);
    const plan = `/operator/plans/${plans.monthly.id}/change`;
    const typed = { name: 'Weekly', priceMinor: '1234', benefits: 'One\r\nTwo', archived: 'true' };
    expect((await send(plan, typed)).status).toBe(303);
    const found = async () => (await service.server.operator.find('plans', plans.monthly.id)).record;
    expect(await found()).toMatchObject({ name: 'Weekly', priceMinor: 1234, benefits: ['One', 'Two'] });
    expect((await found()).archivedAt).not.toBeNull();
    const user = `/operator/users/${eve.id}/change`;
    expect((await send(user, { name: '' })).status).toBe(303);
    expect((await service.server.operator.find('users', eve.id)).record.name).toBeNull();
    const noPrice = await send(plan, { priceMinor: '' });
    expect([noPrice.status, Object.keys(await errorsOn(noPrice))]).toEqual([400, ['priceMinor']]);
    const client = `/operator/clients/${PUBLIC}/change`;
    await service.server.operator.change('clients', PUBLIC, { accent: '#b4541a', description: 'A shop' });
    expect((await send(client, { accent: '', description: '' })).status).toBe(303);
    const { record } = await service.server.operator.find('clients', PUBLIC);
    expect(record).toMatchObject({ accent: null, description: null });
  });

  it('leaves what it does not change, also several lines and the slots of a drop', async ({
    service,
    db,
  }) => {
    const { browser, send } = await operator({ service, db }, ada);
    const { operator: calls } = service.server;
    const { id } = await calls.create('products', {
      ...{ ownerId: ada.id, name: 'Mug', slug: 'lines', description: 'One\nTwo' },
    });
    const page = await pageOf(browser, `/operator/products/${id}/change`);
    expect(page('textarea#description').text()).toBe('One\nTwo');
    expect((await send(`/operator/products/${id}/change`, { name: 'Cup' })).status).toBe(303);
    expect((await calls.find('products', id)).record).toMatchObject({ name: 'Cup', description: 'One\nTwo' });
    const drop = await calls.create('drops', {
      ...{ communityId: community.id, name: 'D', slots: 10, startsAt: '2030-01-01T00:00:00Z' },
    });
    expect((await send(`/operator/drops/${drop.id}/change`, { name: 'D2' })).status).toBe(303);
    expect((await calls.find('drops', drop.id)).record).toMatchObject({ name: 'D2', slots: 10 });
  });

  it('has no record of a deleted account', async ({ service }) => {
    const { operator: calls } = service.server;
    const { id } = await calls.create('users', { email: 'gone@example.com' });
    await calls.deleteUser({ id });
    await expect(calls.find('users', id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(calls.change('users', id, { name: 'Back' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await calls.list('users', { text: id })).records).toEqual([]);
  });

  it('shows the errors of a field beside it, with what was typed', async ({ service, db }) => {
    const { send } = await operator({ service, db }, ada);
    const refused = await send(`/operator/plans/${plans.monthly.id}/change`, { priceMinor: 'a lot' });
    expect(refused.status).toBe(400);
    const $ = parsePage(await refused.text());
    expect($('.error-summary a').attr('href')).toBe('#priceMinor');
    expect($('#priceMinor').attr('value')).toBe('a lot');
  });
});

describe('the language of the operator area', () => {
  const speakTo = async (
    { browser }: OperatorBrowser,
    { service }: Pick<World, 'service'>,
    language: string,
  ) => {
    const { baseUrl: origin } = service;
    const headers = { origin, 'sec-fetch-site': 'same-origin', referer: `${origin}/operator` };
    expect((await browser.post('/language', { language }, headers)).status).toBe(303);
  };

  it('is that of the visitor, from the navigation to the fields of a record', async ({ service, db }) => {
    const own = await operator({ service, db }, ada);
    await speakTo(own, { service }, 'de');
    const plan = await pageOf(own.browser, `/operator/plans/${plans.monthly.id}`);
    expect(plan('html').attr('lang')).toBe('de');
    expect(textOf(plan, '.section-nav [aria-current]')).toBe('Tarife');
    expect(textOf(plan, '#fields dl')).toContain('Tage Zugang pro Zahlung');
    expect(textOf(plan, '#end h2')).toBe('Tarif archivieren');
    const none = await pageOf(own.browser, '/operator/users?text=nobody');
    expect(textOf(none, '.empty-title')).toBe('Keine Treffer.');
    await speakTo(own, { service }, 'ar');
    const audit = await pageOf(own.browser, '/operator/audit');
    expect([audit('html').attr('dir'), textOf(audit, 'h1')]).toEqual(['rtl', 'سجل التدقيق']);
  });

  it('is that of its refusals, while calls without a page stay in English', async ({ service, db }) => {
    const own = await operator({ service, db }, ada);
    await speakTo(own, { service }, 'de');
    const unknown = await own.send('/operator/operators/new', { userId: PUBLIC, role: '' });
    expect(await errorsOn(unknown)).toEqual({
      userId: 'Geben Sie eine UUID ein.',
      role: 'Wählen Sie VIEWER oder ADMIN.',
    });
    const nobody = await own.send('/operator/operators/new', { userId: community.id, role: 'ADMIN' });
    expect(await errorsOn(nobody)).toEqual({ userId: 'Es gibt keinen Nutzer mit dieser ID.' });
    const role = await own.send(`/operator/roles/${community.id}~${dana.id}/end`, {});
    expect((await errorsOn(role)).content).toMatch(/^Eine Community braucht einen aktiven Inhaber/);
    const time = await own.send(`/operator/drops/${sandboxScenario.dropSlot.id}/change`, {
      startsAt: 'soon',
    });
    expect((await errorsOn(time)).startsAt).toMatch(/^Geben Sie einen Tag und eine Uhrzeit mit Zeitzone ein/);
    await expect(service.server.operator.end('roles', `${community.id}~${dana.id}`)).rejects.toThrow(
      /^A community needs an active owner/,
    );
  });

  it('leaves names as they are, also those that are texts of ours', async ({ service, db }) => {
    const own = await operator({ service, db }, ada);
    await service.server.operator.change('communities', community.id, { name: 'Failed' });
    await speakTo(own, { service }, 'de');
    const plan = await pageOf(own.browser, `/operator/plans/${plans.monthly.id}`);
    expect(textOf(plan, `#fields a[href="/operator/communities/${community.id}"]`)).toBe('Failed');
    const change = await pageOf(own.browser, `/operator/communities/${community.id}/change`);
    expect(textOf(change, 'h1')).toBe('Failed ändern');
  });
});

describe('operators in the operator area', () => {
  it('are appointed, changed and removed by an ADMIN', async ({ service, db }) => {
    const { browser, send } = await operator({ service, db }, ada);
    const user = await pageOf(browser, `/operator/users/${ben.id}`);
    const list = await pageOf(browser, user('#related a[href^="/operator/operators"]').attr('href') ?? '');
    const path = list('a.primary').attr('href') ?? '';
    expect(path).toBe(`/operator/operators/new?userId=${ben.id}`);
    const appoint = await pageOf(browser, path);
    expect(appoint('#userId').attr('value')).toBe(ben.id);
    const roles = async () =>
      (await service.server.operator.list('operators')).records.map(({ userId, role }) => [userId, role]);
    const unknown = await send('/operator/operators/new', { userId: PUBLIC, role: '' });
    expect(await errorsOn(unknown)).toEqual({ userId: 'Enter a UUID.', role: 'Choose VIEWER or ADMIN.' });
    const nobody = await send('/operator/operators/new', { userId: community.id, role: 'ADMIN' });
    expect(Object.keys(await errorsOn(nobody))).toEqual(['userId']);
    const appointed = await send('/operator/operators/new', { userId: ben.id, role: 'VIEWER' });
    expect(locationOf(appointed)).toBe('/operator/operators?done=created');
    expect(await roles()).toContainEqual([ben.id, 'VIEWER']);
    const twice = await send('/operator/operators/new', { userId: ben.id, role: 'ADMIN' });
    expect(Object.keys(await errorsOn(twice))).toEqual(['userId']);
    expect((await send(`/operator/operators/${ben.id}/change`, { role: 'ADMIN' })).status).toBe(303);
    expect(await roles()).toContainEqual([ben.id, 'ADMIN']);
    expect((await send(`/operator/operators/${ben.id}/end`, {})).status).toBe(303);
    expect(await roles()).toEqual([[ada.id, 'ADMIN']]);
  });

  it('keep one ADMIN, whom only the command line can remove', async ({ service, db }) => {
    const { browser, send } = await operator({ service, db }, ada);
    const removed = await send(`/operator/operators/${ada.id}/end`, {});
    expect((await errorsOn(removed)).content).toContain('only ADMIN');
    const demoted = await send(`/operator/operators/${ada.id}/change`, { role: 'VIEWER' });
    expect((await errorsOn(demoted)).content).toContain('only ADMIN');
    expect(textOf(await pageOf(browser, '/account/delete'), '#to-do')).toContain('only admin');
    await expect(service.server.operator.deleteUser({ id: ada.id })).rejects.toMatchObject({
      code: 'conflict',
    });
    await service.server.operator.end('operators', ada.id);
    expect((await service.server.operator.list('operators')).records).toEqual([]);
  });

  it('keep one ADMIN when two remove each other at once', async ({ service, db }) => {
    const [first, second] = [await operator({ service, db }, ada), await operator({ service, db }, ben)];
    service.clock.advance(MINUTE);
    const removals = [
      [first, ada.id, ben.id],
      [second, ben.id, ada.id],
    ] as const;
    const statuses = await Promise.all(
      removals.map(async ([{ browser, code }, account, removed]) =>
        browser.post(`/operator/operators/${removed}/end`, { account, code: await code() }),
      ),
    );
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    expect((await service.server.operator.list('operators')).records).toHaveLength(1);
  });
});
