import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import { fillIn } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { itWithDatabase as it } from './service-with-database.js';
import { DAY } from './two-step-world.js';

const { users, community } = sandboxScenario;
const PAGE = '/account/export';

describe('download of the own data', () => {
  it('is linked from the profile, and is a file that nothing caches', async ({ service }) => {
    const ben = await signedIn(service, users.ben.email);
    const profile = parsePage(await (await ben.get('/account/profile')).text());
    expect(profile('#data a').attr('href')).toBe(PAGE);
    const response = await fillIn(ben, { path: PAGE }, {});
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-disposition': 'attachment; filename=latchkey-export-2026-06-12.json',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
    const data = (await response.json()) as Record<string, unknown>;
    const { id, email } = users.ben;
    expect(data).toMatchObject({ exportedAt: '2026-06-12T14:05:00.000Z', user: { id, email }, cutOff: null });
    expect(data.sessions).toHaveLength(1);
    expect(service.log.join()).toContain('The data of an account was downloaded by its user');
  });

  it('contains of an owner’s community no members', async ({ service }) => {
    const dana = await signedIn(service, users.dana.email);
    const text = await (await fillIn(dana, { path: PAGE }, {})).text();
    expect(text).toContain(community.name);
    for (const other of [users.ada, users.ben]) {
      expect(text).not.toContain(other.email);
      expect(text).not.toContain(other.id);
    }
  });

  it('is not for another site, another account, a GET request or a stranger', async ({ service }) => {
    const ben = await signedIn(service, users.ben.email);
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await ben.post(PAGE, { account: users.ben.id }, foreign)).status).toBe(403);
    expect((await ben.post(PAGE, { account: users.ada.id })).status).toBe(409);
    const page = await ben.get(PAGE);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).not.toContain('exportedAt');
    const stranger = await service.browser().post(PAGE, { account: users.ben.id });
    expect(locationOf(stranger)).toBe(`/sign-in?continue=${encodeURIComponent(PAGE)}`);
  });

  it('is possible ten times a day', async ({ service }) => {
    const ben = await signedIn(service, users.ben.email);
    const download = () => ben.post(PAGE, { account: users.ben.id });
    for (let count = 0; count < 10; count += 1) expect((await download()).status).toBe(200);
    const response = await download();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '86400']);
    expect(textOf(parsePage(await response.text()), 'main')).toContain('Try again in 24 hours');
    const ada = await signedIn(service, users.ada.email);
    expect((await ada.post(PAGE, { account: users.ada.id })).status).toBe(200);
    service.clock.advance(DAY);
    const later = await signedIn(service, users.ben.email);
    expect((await later.post(PAGE, { account: users.ben.id })).status).toBe(200);
  });
});
