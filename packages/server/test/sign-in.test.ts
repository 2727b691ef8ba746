import { describe, expect } from 'vitest';
import type { MailMessage } from '../src/index.js';
import { authorizePath, publicRequest, signedIn } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type ServiceUnderTest, START, startService } from './service-under-test.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

async function requestCode(service: ServiceUnderTest, browser: Browser, email: string): Promise<string> {
  const response = await browser.post('/sign-in/code', { email, continue: '/account' });
  expect(response.status).toBe(303);
  return service.server.mailbox?.latestFor(email)?.code ?? '';
}

async function enter(browser: Browser, code: string, continueTo = '/account'): Promise<Response> {
  return await browser.post('/sign-in/verify', { code, continue: continueTo });
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/account')).status === 200;
}

/** Six digits that differ from the code. */
function otherCode(code: string): string {
  return code === '000000' ? '000001' : '000000';
}

describe('emailed code', () => {
  it('has six digits, is sent to the address, and leads to the page before the sign-in', async ({
    service,
  }) => {
    const browser = service.browser();
    const continueTo = authorizePath(publicRequest(service));
    const asked = await browser.post('/sign-in/code', { email: ' Ada@Example.com ', continue: continueTo });
    expect(asked.status).toBe(303);
    expect((await browser.get(locationOf(asked))).status).toBe(200);

    const mail = service.server.mailbox?.latestFor('ada@example.com');
    expect(mail?.code).toMatch(/^\d{6}$/);
    expect(mail?.text).toContain(mail?.code);
    expect(mail?.subject).toBe(`${mail?.code} is your Ember & Oak code`);

    const entered = await enter(browser, ` ${mail?.code?.slice(0, 3)} ${mail?.code?.slice(3)} `, continueTo);
    expect(entered.status).toBe(303);
    expect(locationOf(entered)).toBe(continueTo);
    const account = parsePage(await (await browser.get('/account')).text());
    expect(textOf(account, 'main')).toContain('ada@example.com');
  });

  it('is valid until just before ten minutes have passed', async ({ service }) => {
    const browser = service.browser();
    const code = await requestCode(service, browser, 'ada@example.com');
    service.clock.advance(10 * MINUTE - 1);
    expect((await enter(browser, code)).status).toBe(303);
  });

  it('expires after ten minutes, and the form leads back to the start', async ({ service }) => {
    const browser = service.browser();
    const code = await requestCode(service, browser, 'ada@example.com');
    service.clock.advance(10 * MINUTE);
    expect(locationOf(await browser.get('/sign-in/verify?continue=%2Faccount'))).toBe(
      '/sign-in?continue=%2Faccount&choose=1',
    );
    expect((await enter(browser, code)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('of an earlier mail is named as such, and costs no try', async ({ service }) => {
    const browser = service.browser();
    const first = await requestCode(service, browser, 'ada@example.com');
    const second = await requestCode(service, browser, 'ada@example.com');
    const third = await requestCode(service, browser, 'ada@example.com');
    for (const earlier of [first, second, first, second, first, second]) {
      if (earlier === third) continue;
      const page = await enter(browser, earlier);
      expect(page.status).toBe(400);
      expect(textOf(parsePage(await page.text()), 'main')).toContain('from an earlier e-mail');
    }
    expect((await enter(browser, third)).status).toBe(303);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('of an earlier mail no longer works, even with the cookie of its own request', async ({ service }) => {
    const browser = service.browser();
    const first = await requestCode(service, browser, 'ada@example.com');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    await requestCode(service, browser, 'ada@example.com');
    const headers = { cookie, origin: service.baseUrl, 'sec-fetch-site': 'same-origin' };
    const replay = { code: first, continue: '/account' };
    expect((await service.browser().post('/sign-in/verify', replay, headers)).status).toBe(400);
  });

  it('can be typed in full-width digits, as Japanese keyboards do', async ({ service }) => {
    const browser = service.browser();
    const code = await requestCode(service, browser, 'ada@example.com');
    const wide = [...code].map((digit) => String.fromCharCode(0xff10 + Number(digit))).join('');
    expect((await enter(browser, wide)).status).toBe(303);
  });

  it('can be tried five times, and the page shows the remaining tries', async ({ service }) => {
    const browser = service.browser();
    const code = await requestCode(service, browser, 'ada@example.com');
    for (const left of [4, 3, 2, 1]) {
      const response = await enter(browser, otherCode(code));
      expect(response.status).toBe(400);
      expect(textOf(parsePage(await response.text()), 'main')).toMatch(
        new RegExp(left === 1 ? 'One try left' : `${left} tries left`),
      );
    }
    expect((await enter(browser, code)).status).toBe(303);
  });

  it('is void after five wrong tries, also for the right code', async ({ service }) => {
    const browser = service.browser();
    const code = await requestCode(service, browser, 'ada@example.com');
    const attempt = new Map(browser.cookies);
    for (let tries = 0; tries < 5; tries += 1) await enter(browser, otherCode(code));
    const cookie = [...attempt].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin: service.baseUrl, cookie };
    expect((await browser.post('/sign-in/verify', { code }, headers)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('is rejected in another browser', async ({ service }) => {
    const code = await requestCode(service, service.browser(), 'ada@example.com');
    const other = service.browser();
    expect((await enter(other, code)).status).toBe(400);
    await requestCode(service, other, 'ben@example.com');
    expect((await enter(other, otherCode('') === code ? '' : code)).status).toBe(400);
    expect(await isSignedIn(other)).toBe(false);
  });

  it('can be sent again after a clock that was ahead is corrected', async ({ service }) => {
    const ask = () => service.browser().post('/sign-in/code', { email: 'ada@example.com' });
    service.clock.set(START + 365 * 24 * 3600_000);
    for (let sent = 0; sent < 5; sent += 1) expect((await ask()).status).toBe(303);
    expect((await ask()).status).toBe(429);
    service.clock.set(START);
    expect((await ask()).status).toBe(303);
  });

  it('is sent to one address five times in fifteen minutes, then the status is 429', async ({ service }) => {
    const browsers = Array.from({ length: 5 }, () => service.browser());
    for (const browser of browsers) await requestCode(service, browser, 'ada@example.com');
    service.clock.advance(15 * MINUTE - 1);
    const refused = await service
      .browser()
      .post('/sign-in/code', { email: 'ADA@example.com', continue: '/' });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(textOf(parsePage(await refused.text()), 'main')).toContain('1 minute');
    await requestCode(service, service.browser(), 'ben@example.com');
    service.clock.advance(1);
    await requestCode(service, service.browser(), 'ada@example.com');
  });
});

describe('email address', () => {
  it('without a user gets the same responses, and becomes a user when the code is entered', async ({
    service,
  }) => {
    const [known, unknown] = [service.browser(), service.browser()];
    const answers = [
      await known.post('/sign-in/code', { email: 'ada@example.com', continue: '/account' }),
      await unknown.post('/sign-in/code', { email: 'new@example.com', continue: '/account' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(answers.map(locationOf)).toEqual([
      locationOf(answers[0] as Response),
      locationOf(answers[0] as Response),
    ]);
    const code = service.server.mailbox?.latestFor('new@example.com')?.code ?? '';
    await enter(unknown, code);
    expect(await isSignedIn(unknown)).toBe(true);
  });

  it('must be valid: the page shows the error and keeps the typed text', async ({ service }) => {
    for (const email of ['', 'ada', 'ada@', 'a@b', 'ada@example.com, ben@example.com', '<script>@x.y']) {
      const response = await service.browser().post('/sign-in/code', { email, continue: '/account' });
      expect(response.status).toBe(400);
      const $ = parsePage(await response.text());
      expect($('input[name="email"]').first().val()).toBe(email);
      expect($('script')).toHaveLength(0);
    }
    expect(service.server.mailbox?.list()).toHaveLength(0);
  });
});

describe('sign-in page', () => {
  it('names the client that sent the user', async ({ service }) => {
    const toSignIn = await service.browser().get(authorizePath(publicRequest(service)));
    const $ = parsePage(await (await service.browser().get(locationOf(toSignIn))).text());
    expect(textOf($, 'h1')).toContain('Ember & Oak');
  });

  it('redirects a signed-in user at once', async ({ service }) => {
    const browser = await signedIn(service);
    const response = await browser.get('/sign-in?continue=%2Faccount');
    expect(response.status).toBe(303);
    expect(locationOf(response)).toBe('/account');
  });
});

describe('session', () => {
  it('is new at every sign-in, and ends the previous one of the same user', async ({ service }) => {
    const browser = await signedIn(service);
    const [before] = [...browser.cookies.values()];
    await browser.post('/sandbox/sign-in', { email: 'ada@example.com' });
    const [after] = [...browser.cookies.values()];
    expect(after).not.toBe(before);
    const [name] = [...browser.cookies.keys()];
    const stale = await service.browser().get('/account', { cookie: `${name}=${before}` });
    expect(stale.status).toBe(302);
  });

  it('lasts fourteen days exactly', async ({ service }) => {
    const browser = await signedIn(service);
    for (const days of [5, 5]) {
      service.clock.advance(days * DAY);
      expect(await isSignedIn(browser)).toBe(true);
    }
    service.clock.advance(4 * DAY - 1);
    expect(await isSignedIn(browser)).toBe(true);
    service.clock.advance(1);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('ends after seven days without use, and disappears from the list of its user', async ({ service }) => {
    const idle = await signedIn(service);
    const used = await signedIn(service);
    service.clock.advance(7 * DAY - 1);
    expect(await isSignedIn(used)).toBe(true);
    service.clock.advance(1);
    expect(await isSignedIn(idle)).toBe(false);
    const sessions = await used.get('/account/sessions');
    expect(sessions.status).toBe(200);
    expect(await sessions.text()).not.toContain('name="session"');
  });

  it('ends on the server when the user signs out', async ({ service }) => {
    const browser = await signedIn(service);
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await browser.post('/sign-out', {});
    expect(response.status).toBe(303);
    expect(locationOf(response)).toBe('/signed-out');
    expect((await browser.get('/signed-out')).status).toBe(200);
    expect(browser.cookies.size).toBe(0);
    expect((await service.browser().get('/account', { cookie })).status).toBe(302);
  });

  it('can be ended to use another account, which leads back to the request', async ({ service }) => {
    const browser = await signedIn(service);
    const continueTo = authorizePath(publicRequest(service));
    const response = await browser.post('/sign-out', { continue: continueTo });
    expect(locationOf(response)).toBe(continueTo);
    expect(locationOf(await browser.get(continueTo))).toMatch(/^\/sign-in\?/);
  });

  it('has a cookie that is HttpOnly and SameSite', async ({ service }) => {
    const response = await service.browser().post('/sandbox/sign-in', { email: 'ada@example.com' });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(
      new RegExp(`^latchkey_service_session_${new URL(service.baseUrl).port}=[\\w-]{43};`),
    );
    for (const attribute of ['HttpOnly', 'SameSite=Lax', 'Path=/']) expect(cookie).toContain(attribute);
    expect(cookie).not.toMatch(/Secure|Domain/);
  });
});

describe('two services on ports of one host', () => {
  it('keep their sessions, because browsers send a cookie to all ports of its host', async ({
    service,
    onTestFinished,
  }) => {
    const other = await startService();
    onTestFinished(() => other.server.close());
    const browser = await signedIn(service);
    const elsewhere = await signedIn(other, 'ben@example.com');
    const cookieOf = (one: typeof browser) => [...one.cookies].map(([name, value]) => `${name}=${value}`);
    const cookie = [...cookieOf(browser), ...cookieOf(elsewhere)].join('; ');
    expect(new Set([...browser.cookies.keys(), ...elsewhere.cookies.keys()]).size).toBe(
      browser.cookies.size + elsewhere.cookies.size,
    );
    for (const [one, email] of [
      [service, 'ada@example.com'],
      [other, 'ben@example.com'],
    ] as const) {
      expect(await (await one.browser().get('/account', { cookie })).text()).toContain(email);
    }
  });
});

describe('HTTPS', () => {
  it('makes cookies Secure and bound to the host by their prefix', async ({ onTestFinished }) => {
    const service = await startService({ baseUrl: 'https://service.example' });
    onTestFinished(() => service.server.close());
    const browser = service.browser();
    const response = await browser.post('/sandbox/sign-in', { email: 'ada@example.com' });
    const [cookie = ''] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-latchkey_service_session=/);
    expect(cookie).toContain('Secure');
    expect(cookie).toContain('Path=/');
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe('mail that cannot be sent', () => {
  it('is reported to the user with 503, and logged without the code', async ({ onTestFinished }) => {
    const sent: MailMessage[] = [];
    const mailer = {
      send: (message: MailMessage) => {
        sent.push(message);
        return Promise.reject(new Error('connection refused'));
      },
    };
    const service = await startService({ mailer, sandbox: false });
    onTestFinished(() => service.server.close());
    const browser = service.browser();
    const response = await browser.post('/sign-in/code', { email: 'ada@example.com', continue: '/account' });
    expect(response.status).toBe(503);
    expect(browser.cookies.size).toBe(0);
    expect(service.log.join('\n')).toContain('connection refused');
    expect(service.log.join('\n')).not.toContain(sent[0]?.code);
  });
});
