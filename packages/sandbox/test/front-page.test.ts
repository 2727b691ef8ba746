import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { FOR_WHOM, NOT_FOR, WHAT } from '../src/home/home-page.js';
import { sandboxEnv, sandboxScenario, startSandbox } from '../src/index.js';
import { locationOf } from './browser.js';
import { buyMonthly } from './buy-monthly.js';
import { formOf, parsePage, textOf } from './page-document.js';
import { it, type SandboxUnderTest, signedIn } from './sandbox-under-test.js';

const { apiKey, community, confidentialClient, users, webhooks } = sandboxScenario;
const MINUTE = 60_000;
/** Scenarios with the community whose plan the tests buy. */
const SCENARIOS = [
  'sample-data',
  'busy-shop',
  'lapsing-memberships',
  'failing-payments',
  'stranger',
] as const;

const frontPage = async (service: SandboxUnderTest) =>
  parsePage(await (await service.request('/sandbox')).text());

/** Returns the titles of the ticked lines. */
const ticked = async (service: SandboxUnderTest) => {
  const $ = await frontPage(service);
  return $('#walkthrough-checks .is-done')
    .toArray()
    .map((check) => $(check).find('h3').text().replace(/^.*: /, ''));
};

/** Signs a user in at the confidential client, and returns the access token. */
async function signInAtClient(
  service: SandboxUnderTest,
  user: { id: string; email: string },
): Promise<string> {
  const browser = await signedIn(service, user.email);
  const verifier = randomBytes(32).toString('base64url');
  const redirectUri = 'http://localhost:4402/auth/callback';
  const query = {
    client_id: confidentialClient.clientId,
    redirect_uri: redirectUri,
    scope: 'memberships.read',
    state: 'state-of-the-test',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  await browser.get(`/oauth/authorize?${new URLSearchParams(query)}`);
  const consent = await browser.post('/oauth/consent', { ...query, account: user.id, decision: 'allow' });
  const form = {
    grant_type: 'authorization_code',
    client_id: confidentialClient.clientId,
    client_secret: confidentialClient.clientSecret,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code: new URL(locationOf(consent)).searchParams.get('code') ?? '',
  };
  const answer = await service.request('/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
  return (await answer.json()).access_token;
}

const askForMemberships = (service: SandboxUnderTest, token: string) =>
  service.request('/oauth/memberships', { headers: { Authorization: `Bearer ${token}` } });

describe('the steps of the front page', () => {
  it('lead with one primary button: to the shop with the demo, else to the sample site, else to the sign-in page', async ({
    service,
  }) => {
    service.server.guide.shops = [{ label: 'Your site', url: 'http://localhost:3000' }];
    const own = await frontPage(service);
    expect(textOf(own, '.steps')).toContain('Open your site');
    expect(textOf(own, '.steps')).not.toContain('shop');
    expect(own('.primary').attr('href')).toBe('/sandbox/site');
    expect(own('.steps a[href="http://localhost:3000"]')).toHaveLength(1);
    service.server.guide.demo = { signIn: 'https://shop.example/login', gate: 'https://shop.example/table' };
    const $ = await frontPage(service);
    expect(
      $('.steps h2')
        .toArray()
        .map((title) => $(title).text()),
    ).toEqual(['Step 1: Open the shop', 'Step 2: Sign in as Ada', 'Step 3: Move the clock']);
    expect($('.primary')).toHaveLength(1);
    expect($('.primary').attr('href')).toBe('https://shop.example/table');
    expect($('.primary').attr('rel')).toBe('noopener');
    delete service.server.guide.demo;
    await service.server.control.snapshots.reset('empty');
    expect((await frontPage(service))('.primary').attr('href')).toBe('/sign-in');
  });

  it('join as Ben: the button signs out who is signed in, and leads to the shop, or to the plans', async ({
    service,
  }) => {
    const browser = await signedIn(service, users.ada.email);
    const join = () => browser.post('/sandbox/join', {});
    expect(locationOf(await join())).toBe(`/communities/${community.id}`);
    const person = textOf(parsePage(await (await browser.get('/account')).text()), '.signed-in-person');
    expect(person).toContain(users.ben.name);
    service.server.guide.demo = {
      signIn: 'http://localhost:4402/login',
      gate: 'http://localhost:4402/table',
    };
    const page = await browser.get('/sandbox');
    expect(formOf(parsePage(await page.text()), '/sandbox/join').method).toBe('post');
    // Chromium applies the policy to the redirect of the form.
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://localhost:4402;",
    );
    expect(locationOf(await join())).toBe('http://localhost:4402/login');
    const foreign = { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' };
    expect((await browser.post('/sandbox/join', {}, foreign)).status).toBe(403);
  });

  it('say about each person what is true at the moment', async ({ service }) => {
    const notes = async () => {
      const $ = await frontPage(service);
      const rows = $('#people .row-text').toArray();
      return Object.fromEntries(
        rows.map((row) => [$(row).find('.row-title bdi').text(), $(row).find('.muted').text()]),
      );
    };
    expect(await notes()).toEqual({
      'Ada Member': 'Member of Ember & Oak Coffee Club for life',
      'Ben Visitor': 'No membership',
      'Cleo Lapsed': 'Membership of Ember & Oak Coffee Club ended on 2026-06-05',
      'Dana Owner': 'Owns the club, sells two products',
      'Eve Elsewhere': 'Member of Tide & Tackle Club for life',
      'Finn Fisher': 'Owns another club',
    });
    // Ada is a member for life, and her access to a product ends: the clock says of which.
    expect(textOf(await frontPage(service), '#presets')).toContain(
      'The membership of ada@example.com (The Brew Guide) ends.',
    );
    await buyMonthly(service, users.ben.email);
    expect((await notes())['Ben Visitor']).toBe('Member of Ember & Oak Coffee Club until 2026-07-12');
  });
});

it('the front page says what Latchkey is and for whom in the words of the README', async ({ service }) => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8').replaceAll('`', '');
  const $ = await frontPage(service);
  expect(textOf($, '.lead')).toContain(WHAT);
  const rows = FOR_WHOM.map(([who, what]) => `- **${who}.** ${what}\n`);
  expect(readme).toContain(`\n${WHAT}\n\n${rows.join('')}\n${NOT_FOR}\n`);
  expect(textOf($, '#for-whom')).toContain(NOT_FOR);
});

describe('the progress on the front page', () => {
  it('is ticked as it happens, and no earlier', async ({ service }) => {
    expect(await ticked(service)).toEqual([]);
    const token = await signInAtClient(service, users.ben);
    await askForMemberships(service, token);
    expect(await ticked(service)).toEqual(['Sign in']);

    service.clock.advance(1_000);
    await buyMonthly(service, users.ben.email);
    expect(await ticked(service)).toEqual(['Sign in', 'Buy a membership']);

    expect((await askForMemberships(service, token)).status).toBe(200);
    // The log has a request just after its response.
    await expect.poll(() => ticked(service)).toEqual(['Sign in', 'Buy a membership', 'The gate opens']);

    await service.server.runBackgroundWork();
    expect(await ticked(service)).toHaveLength(4);
    const linked = (await frontPage(service))('#walkthrough-checks .is-done a[href*="?id="]')
      .toArray()
      .map(({ attribs }) => new URL(attribs.href ?? '', service.baseUrl));
    const { requests, deliveries } = service.server.control;
    const entries = linked.slice(0, 3).map(({ searchParams }) => requests.find(searchParams.get('id') ?? ''));
    expect(entries.map(({ endpoint, path }) => endpoint ?? path.split('/').at(-1))).toEqual([
      ...['token', 'pay', 'memberships'],
    ]);
    expect(linked[3]?.pathname).toBe('/sandbox/webhooks');
    const event = await deliveries.findEvent(linked[3]?.searchParams.get('id') ?? '');
    expect(event.type).toBe('membership.created');

    const form = formOf(await frontPage(service), '/sandbox/clock');
    const [[, membershipId = ''] = []] = form.hidden;
    const before = service.server.clock.now();
    const ended = await service.browser().post('/sandbox/clock', { end: membershipId });
    expect(service.server.clock.now() - before).toBe(5 * MINUTE);
    expect(await ticked(service)).toHaveLength(5);
    const text = textOf(
      parsePage(await (await service.request(locationOf(ended))).text()),
      '[aria-labelledby="moved"]',
    );
    expect(text).toContain(`The membership of ben@example.com (${community.name}) ends.`);
    // The session is still valid, so the site sees the end.
    expect((await askForMemberships(service, token)).status).toBe(200);

    await service.browser().post('/sandbox/clock', { advance: '31d' });
    expect(await ticked(service)).toContain('Access ends');
    await service.server.control.snapshots.reset();
    expect(await ticked(service)).toEqual([]);
  });

  it('keeps the sign-in ticked when the clock moves past its tokens', async ({ service }) => {
    await signInAtClient(service, users.ada);
    await service.browser().post('/sandbox/clock', { advance: '31d' });
    await service.server.runBackgroundWork();
    // The log has a request just after its response.
    await expect.poll(() => ticked(service)).toEqual(['Sign in']);
    expect(textOf(await frontPage(service), '#walkthrough-checks .is-done')).toContain('ada@example.com');
  });

  it('does not count an answer to another person as the open gate', async ({ service }) => {
    const token = await signInAtClient(service, users.ada);
    await buyMonthly(service, users.ben.email);
    await askForMemberships(service, token);
    const { requests } = service.server.control;
    await expect.poll(() => requests.list({ path: '/oauth/memberships' }).requests).toHaveLength(1);
    expect(await ticked(service)).toEqual(['Sign in', 'Buy a membership']);
  });

  it.for(SCENARIOS)(
    'counts no purchase, renewal or end of the scenario %s',
    async (scenario, { service }) => {
      const { snapshots, clock } = service.server.control;
      await snapshots.reset(scenario);
      expect(await ticked(service)).toEqual([]);
      // Memberships renew and end, and their events are delivered.
      await clock.advance(4 * 60 * MINUTE);
      await service.server.runBackgroundWork();
      expect(await ticked(service)).toEqual([]);
      await buyMonthly(service, users.ben.email);
      expect(await ticked(service)).toEqual(['Buy a membership']);
      expect(textOf(await frontPage(service), '#walkthrough-checks .is-done')).toContain(
        'ben@example.com bought Monthly',
      );
    },
  );

  it('counts a purchase by a person of a scenario', async ({ service }) => {
    await service.server.control.snapshots.reset('lapsing-memberships');
    await buyMonthly(service, 'hugo@example.com');
    expect(await ticked(service)).toEqual(['Buy a membership']);
  });

  it('ends a membership for life, and neither an ended nor an unknown one', async ({ service }) => {
    const id = sandboxScenario.memberships.adaCommunity.id;
    const browser = service.browser();
    const start = service.server.clock.now();
    await browser.post('/sandbox/clock', { end: id });
    expect(service.server.clock.now() - start).toBe(5 * MINUTE);
    for (const end of [id, 'unknown', '']) {
      expect(locationOf(await browser.post('/sandbox/clock', { end }))).toBe('/sandbox');
    }
    expect(service.server.clock.now() - start).toBe(5 * MINUTE);
  });
});

describe('the values of the front page', () => {
  it('are those of this sandbox, as rows and as the .env block that the commands print', async ({
    service,
  }) => {
    const $ = await frontPage(service);
    expect($('.paste > .values dt').text()).toBe('Base URLPublic client');
    const rows = textOf($, '.values');
    for (const value of [service.baseUrl, apiKey, community.id, webhooks.brewGuide.secret]) {
      expect(rows).toContain(value);
    }
    expect($('#env pre').text()).toBe(sandboxEnv(service.server));
    expect($('#env pre').text()).toContain(`LATCHKEY_SANDBOX_TOKEN=${service.server.controlToken}`);
  });

  it('leave out ids that do not exist, without sample data', async ({ service }) => {
    await service.server.control.snapshots.reset('empty');
    const $ = await frontPage(service);
    expect(textOf($, '.values')).not.toContain(community.id);
    expect($('details[name="snippet"]')).toHaveLength(0);
  });

  it('follow the names of the service', async ({ onTestFinished }) => {
    const serviceNames = { apiKeyPrefix: 'acme_', headerPrefix: 'X-Acme-', messenger: 'telegram' };
    const server = await startSandbox({ serviceNames });
    onTestFinished(() => server.close());
    const env = sandboxEnv(server);
    expect(env).toContain('LATCHKEY_API_KEY=acme_sandbox');
    expect(env).toContain(`LATCHKEY_SERVICE_NAMES='${JSON.stringify(serviceNames)}'`);
  });
});

describe('the stream of changes', () => {
  it('says that something changed, and nothing else', async ({ service }) => {
    const response = await service.request('/sandbox/changes');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe(': connected\n\n');
    await service.browser().post('/sign-in/code', { email: users.ada.email });
    expect((await reader?.read())?.value).toMatch(/^(?:data: changed\n\n)+$/);
    await reader?.cancel();
  });

  it('refuses pages of other sites', async ({ service }) => {
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'Sec-Fetch-Site': site };
      expect((await service.request('/sandbox/changes', { headers })).status).toBe(403);
    }
  });

  it('needs no more than scripts and requests of the own origin', async ({ service }) => {
    const response = await service.request('/sandbox');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'; connect-src 'self'");
    const other = await service.request('/sandbox/rules');
    expect(other.headers.get('content-security-policy')).not.toContain('connect-src');
    const script = (await frontPage(service))('script').last().attr('src') ?? '';
    expect((await service.request(script)).headers.get('content-type')).toContain('text/javascript');
  });
});

describe('the presets of the clock', () => {
  it('move to what is ahead, list what happened, and refuse what is not', async ({ service }) => {
    const browser = service.browser();
    const moved = await browser.post('/sandbox/clock', { preset: 'next-drop-start' });
    const $ = parsePage(await (await browser.get(locationOf(moved))).text());
    expect(textOf($, '.happened')).toContain('The drop Spring harvest starts.');
    const refused = await browser.post('/sandbox/clock', { preset: 'next-renewal' });
    expect(textOf(parsePage(await (await browser.get(locationOf(refused))).text()), '.refusal')).toContain(
      'The clock did not move',
    );
  });
});
