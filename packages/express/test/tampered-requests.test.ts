import { connect } from 'node:net';
import { type FakeUser, fakeMembership, fakeUser } from '@latchkey/conformance/scripted-service';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../scripts/fuzz-runs.mjs';
import { Browser, NAVIGATION } from './browser.js';
import { callbackUrl, type Shop } from './shop.js';
import { clubUrl, startTwoInstances } from './two-instances.js';

let base: Shop;
let shop: Shop;
const ada: FakeUser = fakeUser('ada@example.com', [fakeMembership()]);
const ben: FakeUser = fakeUser('ben@example.com');

beforeAll(async () => {
  ({ base, shop } = await startTwoInstances());
});
afterAll(async () => {
  await shop.close();
  await base.close();
});

const visitor = (): Browser => {
  const browser = new Browser();
  browser.hosts.set(new URL(clubUrl).host, shop.url);
  return browser;
};

const returnOf = (browser: Browser, login = `${shop.url}/auth/login`) => callbackUrl(browser, login);

/** Sends a raw request and returns the head of the response. */
async function raw(lines: readonly string[]): Promise<string> {
  const socket = connect(Number(new URL(shop.url).port), '127.0.0.1');
  socket.on('error', () => {});
  // The socket is not ended, because a half-closed connection receives no delayed response.
  socket.write([...lines, 'Host: shop', 'Connection: close', '', ''].join('\r\n'), 'latin1');
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text.split('\r\n\r\n')[0] ?? '';
}

const locationIn = (head: string) => /^location: (.*)$/im.exec(head)?.[1];

describe('excessive input', () => {
  it('accepts a cookie header of the maximum size of Node and opens nothing', async () => {
    const browser = visitor();
    await shop.signIn(ada, { browser });
    const { name = '', value = '' } = shop.sessionCookie(browser) ?? {};
    for (const cookie of [
      `${name}=${'A'.repeat(14_000)}`,
      `${'x=1; '.repeat(2500)}${name}=y`,
      `${name}=; ${name}=${value.slice(0, -1)}`,
      `${';'.repeat(12_000)}`,
      `${'='.repeat(12_000)}`,
    ]) {
      const page = await new Browser().request(`${shop.url}/members`, { headers: { cookie } });
      expect(page.status).toBe(401);
    }
    const drowned = `${'x=1; '.repeat(2000)}${name}=${value}`;
    expect(
      (await new Browser().request(`${shop.url}/members`, { headers: { cookie: drowned } })).status,
    ).toBe(200);
  });

  it('responds with 431 to larger headers, without a session', async () => {
    const head = await raw(['GET /members HTTP/1.1', `Cookie: x=${'A'.repeat(40_000)}`]);
    expect(head).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('redirects a query of the maximum length to sign-in with the path alone', async () => {
    const head = await raw([`GET /members?${'q'.repeat(12_000)} HTTP/1.1`, `Accept: ${NAVIGATION.accept}`]);
    expect(locationIn(head)).toBe(`${shop.url}/auth/login?returnTo=%2Fmembers`);
    const login = await raw([`GET /auth/login?returnTo=/${'q'.repeat(12_000)} HTTP/1.1`]);
    expect(login.length).toBeLessThan(2500);
  });

  it('limits the cookies of unfinished sign-ins, and the newest one works', async () => {
    const browser = visitor();
    shop.service.visitor = ada;
    let back = await returnOf(browser);
    for (let round = 0; round < 60; round += 1) {
      back = await returnOf(browser, `${shop.url}/auth/login?returnTo=/${'r'.repeat(round * 15)}`);
      expect(browser.headerFor('/auth/callback').length).toBeLessThan(6000);
    }
    expect((await browser.request(back.href)).status).toBe(302);
  });

  it('rejects or ignores a huge body for sign-out and exchange, and handles the next request', async () => {
    const body = 'x'.repeat(2_000_000);
    const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    for (const path of ['/auth/exchange', '/auth/logout']) {
      const answer = await visitor()
        .request(`${shop.url}${path}`, { method: 'POST', headers, body })
        .catch(() => undefined);
      expect([undefined, 204, 400]).toContain(answer?.status);
      expect((await visitor().request(`${shop.url}/members`)).status).toBe(401);
    }
  });
});

/** True if two JWEs in compact serialization consist of the same bytes. */
function decodesAs(one: string, other: string): boolean {
  const decode = (jwe: string) =>
    jwe.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  return decode(one).join('.') === decode(other).join('.');
}

describe('a modified cookie', () => {
  it('opens nothing, wherever it was modified', async () => {
    const browser = visitor();
    await shop.signIn(ada, { browser });
    const { name = '', value = '' } = shop.sessionCookie(browser) ?? {};
    const change = fc.record({
      at: fc.nat({ max: value.length - 1 }),
      cut: fc.nat({ max: 3 }),
      put: fc.string({ maxLength: 3, unit: fc.constantFrom(...'ABCxyz019-_.') }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, cut, put }) => {
        const changed = value.slice(0, at) + put + value.slice(at + cut);
        // Decoders ignore some bits of the last base64url character, so different texts can be the same seal.
        fc.pre(!decodesAs(changed, value));
        const cookie = `${name}=${changed}`;
        const page = await new Browser().request(`${shop.url}/who`, { headers: { cookie } });
        expect(page.text).toBe('[null,null]');
      }),
      fuzzRuns(150),
    );
  }, 60_000);

  it("does not open with parts of another user's session", async () => {
    const [adas, bens] = [visitor(), visitor()];
    await shop.signIn(ada, { browser: adas });
    await shop.signIn(ben, { browser: bens });
    const { name = '', value: hers = '' } = shop.sessionCookie(adas) ?? {};
    const his = shop.sessionCookie(bens)?.value ?? '';
    const [mine, theirs] = [his.split('.'), hers.split('.')];
    for (let mask = 1; mask < 31; mask += 1) {
      const mixed = mine.map((part, index) => ((mask >> index) & 1 ? theirs[index] : part)).join('.');
      if (mixed === hers || mixed === his) continue;
      const cookie = `${name}=${mixed}`;
      const page = await new Browser().request(`${shop.url}/who`, { headers: { cookie } });
      expect(page.text, `${mask}`).toBe('[null,null]');
    }
  });
});
