import { sandboxScenario } from '@latchkey/sandbox';
import type { CheerioAPI } from 'cheerio';
import { describe, expect } from 'vitest';
import { errorsOn, fillIn } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { payFor } from './checkout-world.js';
import { parsePage, textOf } from './pages/page-document.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community } = sandboxScenario;
const PAGE = '/account/delete';

/** Returns the ids of the panels, in the order of the page. */
const panelsOn = ($: CheerioAPI) =>
  $('section[id]')
    .toArray()
    .map((panel) => $(panel).attr('id'));

describe('page that deletes the own account', () => {
  it('is linked from the profile, and states what ends and what stays', async ({ service }) => {
    const ben = await signedIn(service, users.ben.email);
    const profile = parsePage(await (await ben.get('/account/profile')).text());
    expect(profile('#deletion a').attr('href')).toBe(PAGE);
    const $ = parsePage(await (await ben.get(PAGE)).text());
    expect(textOf($, '#consequences')).toContain('memberships and subscriptions end at once');
    expect(textOf($, '#consequences')).toContain('Sellers keep your past payments');
    expect($('input[name="code"]')).toHaveLength(0);
  });

  it('deletes it after the address was typed, signs out and explains that it is done', async ({
    service,
    db,
  }) => {
    await payFor(service);
    const ben = await signedIn(service, users.ben.email);
    const other = await signedIn(service, users.ben.email);
    const response = await fillIn(ben, { path: PAGE }, { email: ' Ben@Example.com ' });
    expect(response.status).toBe(200);
    expect(textOf(parsePage(await response.text()), 'h1')).toBe('Your account is deleted');
    expect([...ben.cookies.keys()].filter((name) => name.includes('session'))).toEqual([]);
    for (const browser of [ben, other]) expect((await browser.get('/account')).status).toBe(302);
    expect(await db.selectFrom('users').select('id').where('id', '=', users.ben.id).execute()).toEqual([]);
    expect(service.log.join()).toContain('An account was deleted by its user');
    // A reload sends the form again.
    const again = await ben.post(PAGE, { account: users.ben.id, email: users.ben.email });
    expect([again.status, locationOf(again)]).toEqual([303, `/sign-in?continue=${encodeURIComponent(PAGE)}`]);
  });

  it('changes nothing for another address, another account or a form of another site', async ({
    service,
    db,
  }) => {
    const ben = await signedIn(service, users.ben.email);
    const typed = await fillIn(ben, { path: PAGE }, { email: 'ada@example.com' });
    expect(typed.status).toBe(400);
    const summary = parsePage(await typed.clone().text());
    expect(textOf(summary, '.error-summary h2')).toBe('Your account was not deleted');
    expect(await errorsOn(typed)).toEqual({ email: 'Enter the e-mail address of your account.' });
    const { email } = users.ben;
    expect((await ben.post(PAGE, { account: users.ada.id, email })).status).toBe(409);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await ben.post(PAGE, { account: users.ben.id, email }, foreign)).status).toBe(403);
    expect((await service.browser().get(PAGE)).status).toBe(302);
    expect(await db.selectFrom('users').select('email').where('id', '=', users.ben.id).execute()).toEqual([
      { email },
    ]);
  });

  it('lists what to do first, with links, above what happens, and has no form until then', async ({
    service,
  }) => {
    const dana = await signedIn(service, users.dana.email);
    const $ = parsePage(await (await dana.get(PAGE)).text());
    expect(panelsOn($)).toEqual(['to-do', 'consequences']);
    expect($(`form[action="${PAGE}"]`)).toHaveLength(0);
    const links = $('#to-do a')
      .toArray()
      .map((link) => $(link).attr('href') ?? '');
    expect(links).toContain(`/seller/communities/${community.id}`);
    for (const href of new Set(links)) expect([href, (await dana.get(href)).status]).toEqual([href, 200]);
    const response = await dana.post(PAGE, { account: users.dana.id, email: users.dana.email });
    expect(locationOf(response)).toBe(PAGE);
    expect((await dana.get('/account')).status).toBe(200);
  });
});
