import { describe, expect } from 'vitest';
import { hiddenFields } from './area-forms.js';
import type { Browser } from './browser.js';
import { everythingStored } from './database/everything-stored.js';
import { parsePage, textOf } from './pages/page-document.js';
import { type Client, it, signIn } from './sign-in-world.js';

const SESSIONS = '/account/sessions';
const SIGN_OUT = '/account/sessions/sign-out';
const ADA = 'ada@example.com';
const MINUTE = 60_000;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

/** Headers of a browser at an address. */
const at = (address: string, userAgent: string) => ({
  'x-forwarded-for': address,
  'user-agent': userAgent,
});

/** Rows of the session list, as texts. */
async function rowsOf(browser: Browser, headers: Record<string, string>): Promise<string[]> {
  const response = await browser.get(SESSIONS, headers);
  expect(response.status).toBe(200);
  const $ = parsePage(await response.text());
  return $('#sessions tbody tr')
    .toArray()
    .map((row) => $(row).text());
}

/** Returns the id of the only other session, as its button sends it. */
async function otherSession({ browser }: Client, headers: Record<string, string>): Promise<string> {
  const $ = parsePage(await (await browser.get(SESSIONS, headers)).text());
  const ids = $('input[name="session"]')
    .toArray()
    .map((input) => $(input).attr('value') ?? '');
  expect(ids).toHaveLength(1);
  return ids[0] ?? '';
}

async function accountOf(browser: Browser): Promise<string> {
  const { account = '' } = await hiddenFields(browser, '/account/profile', '/account/profile');
  return account;
}

describe('session list', () => {
  it('names the browser and the network of each session, and marks the current one', async ({ world }) => {
    const [laptop, phone] = [world.from('192.0.2.77'), world.from('2001:db8:1:2::3')];
    await signIn(world, laptop, ADA);
    await signIn(world, phone, ADA);
    await rowsOf(phone.browser, at('2001:db8:1:2::3', SAFARI));
    const rows = await rowsOf(laptop.browser, at('192.0.2.77', FIREFOX));
    expect(rows).toHaveLength(2);
    const current = rows.find((row) => row.includes('This browser')) ?? '';
    expect(current).toContain('Firefox on Linux');
    expect(current).toContain('192.0.2.0/24');
    const other = rows.find((row) => row !== current) ?? '';
    expect(other).toContain('Safari on iPhone');
    expect(other).toContain('2001:db8:1::/48');
  });

  it('shows when each session was used, accurate to five minutes', async ({ world }) => {
    const [here, there] = [world.from('192.0.2.1'), world.from('198.51.100.1')];
    await signIn(world, here, ADA);
    await signIn(world, there, ADA);
    await rowsOf(there.browser, at('198.51.100.1', SAFARI));
    const lastUse = async () => {
      const rows = await rowsOf(here.browser, at('192.0.2.1', FIREFOX));
      return rows.find((row) => row.includes('Safari')) ?? '';
    };
    expect(await lastUse()).toContain('14:05 UTC');
    world.service.clock.advance(4 * MINUTE);
    await rowsOf(there.browser, at('198.51.100.1', SAFARI));
    expect(await lastUse()).not.toContain('14:09 UTC');
    world.service.clock.advance(2 * MINUTE);
    await rowsOf(there.browser, at('198.51.100.1', SAFARI));
    expect(await lastUse()).toContain('14:11 UTC');
  });

  it('shows the browser and the network of the last use, so that a stolen cookie is noticed', async ({
    world,
  }) => {
    const ada = world.from('192.0.2.1');
    await signIn(world, ada, ADA);
    await rowsOf(ada.browser, at('192.0.2.1', FIREFOX));
    const [row] = await rowsOf(ada.browser, at('203.0.113.9', SAFARI));
    expect(row).toContain('Safari on iPhone');
    expect(row).toContain('203.0.113.0/24');
    expect(row).not.toContain('192.0.2.0');
  });

  it('contains no client address and no User-Agent, and neither does the database', async ({
    world,
    database,
  }) => {
    const ada = world.from('192.0.2.77');
    await signIn(world, ada, ADA);
    await rowsOf(ada.browser, at('192.0.2.77', FIREFOX));
    const stored = await everythingStored(database);
    expect(stored.includes('192.0.2.77')).toBe(false);
    expect(stored.includes('Gecko')).toBe(false);
    expect(stored.includes('192.0.2.0/24')).toBe(true);
    const html = await (await ada.browser.get(SESSIONS, at('192.0.2.77', FIREFOX))).text();
    expect(html).not.toContain('192.0.2.77');
    expect(html).not.toContain('Gecko');
  });

  it('loses the browser and the network with the session', async ({ world, database }) => {
    const ada = world.from('192.0.2.77');
    await signIn(world, ada, ADA);
    await ada.browser.get('/account', at('192.0.2.77', FIREFOX));
    await ada.browser.post('/sign-out', {});
    // The file of a SQLite database keeps deleted rows until they are overwritten, so only rows count here.
    const rows = (await everythingStored(database)).toString().split('SQLite format')[0] ?? '';
    expect(rows).not.toContain('Firefox on Linux');
  });

  it('signs out one browser of the user', async ({ world }) => {
    const [here, there] = [world.from('192.0.2.1'), world.from('198.51.100.1')];
    await signIn(world, here, ADA);
    await signIn(world, there, ADA);
    const session = await otherSession(here, at('192.0.2.1', FIREFOX));
    const ended = await here.browser.post(SIGN_OUT, { account: await accountOf(here.browser), session });
    expect(ended.headers.get('location')).toBe(`${SESSIONS}?done=session`);
    const $ = parsePage(await (await here.browser.get(`${SESSIONS}?done=session`)).text());
    expect(textOf($, '[role="status"]')).toContain('signed out of that browser');
    expect((await there.browser.get('/account')).status).toBe(302);
    expect((await here.browser.get('/account')).status).toBe(200);
    const again = await here.browser.post(SIGN_OUT, { account: await accountOf(here.browser), session });
    expect(again.headers.get('location')).toBe(SESSIONS);
  });

  it('ends no session of another user, whose id is a foreign one', async ({ world }) => {
    const [ada, phone, ben] = [world.from('192.0.2.1'), world.from('192.0.2.2'), world.from('192.0.2.3')];
    await signIn(world, ada, ADA);
    await signIn(world, phone, ADA);
    await signIn(world, ben, 'ben@example.com');
    const account = await accountOf(ben.browser);
    const foreign = await otherSession(ada, at('192.0.2.1', FIREFOX));
    for (const session of [foreign, '', '%', 'x'.repeat(500)]) {
      const response = await ben.browser.post(SIGN_OUT, { account, session });
      expect(response.headers.get('location')).toBe(SESSIONS);
    }
    expect((await phone.browser.get('/account')).status).toBe(200);
    expect((await ben.browser.get('/account')).status).toBe(200);
  });

  it('shows ids that sign nobody in', async ({ world }) => {
    const [here, there] = [world.from('192.0.2.1'), world.from('198.51.100.1')];
    await signIn(world, here, ADA);
    await signIn(world, there, ADA);
    const id = await otherSession(here, at('192.0.2.1', FIREFOX));
    const [name = ''] = [...there.browser.cookies.keys()].filter((key) => key.includes('session'));
    expect(name).not.toBe('');
    const forged = await world.service.request('/account', { headers: { cookie: `${name}=${id}` } });
    expect(forged.status).toBe(302);
  });
});
