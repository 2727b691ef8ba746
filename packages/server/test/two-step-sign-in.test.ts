import { describe, expect } from 'vitest';
import { parsePage, textOf } from './pages/page-document.js';
import { it, newestCode } from './sign-in-world.js';
import {
  changeWith,
  clientAtSecondStep,
  codeAt,
  DAY,
  enrol,
  enterSecond,
  finishFirstStep,
  isSignedIn,
  MINUTE,
  SECOND_STEP,
  STEP,
  wrongCode,
} from './two-step-world.js';

const ADA = 'ada@example.com';
const OTHER_NETWORK = '198.51.100.7';

describe('sign-in of a user with two-step sign-in', () => {
  it('needs the code of the app after the e-mailed code', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const { browser, ...client } = world.from(OTHER_NETWORK);
    await finishFirstStep(world, { browser, ...client }, ADA);
    expect(await isSignedIn(browser)).toBe(false);
    const page = parsePage(await (await browser.get(`${SECOND_STEP}?continue=%2Faccount`)).text());
    expect(textOf(page, 'main')).toContain(ADA);
    const code = await codeAt(world, secret);
    const entered = await enterSecond(browser, ` ${code.slice(0, 3)} ${code.slice(3)}`);
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/account']);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('needs no second step for other users', async ({ world }) => {
    await enrol(world, world.from('192.0.2.1'), ADA);
    const grace = world.from(OTHER_NETWORK);
    await grace.ask('grace@example.com');
    await grace.enter(newestCode(world, 'grace@example.com'));
    expect(await isSignedIn(grace.browser)).toBe(true);
  });

  it.for([
    ['before', -STEP, 303],
    ['after', STEP, 303],
    ['two steps before', -2 * STEP, 400],
    ['two steps after', 2 * STEP, 400],
  ] as const)('handles the code of the step %s', async ([, fromNow, status], { world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    world.service.clock.advance(2 * MINUTE);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    expect((await enterSecond(client.browser, await codeAt(world, secret, fromNow))).status).toBe(status);
  });

  it('accepts a code of the app once, and none of an earlier step after it', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const [first, second] = [world.from(OTHER_NETWORK), world.from('203.0.113.5')];
    await finishFirstStep(world, first, ADA);
    const code = await codeAt(world, secret);
    expect((await enterSecond(first.browser, code)).status).toBe(303);
    await finishFirstStep(world, second, ADA);
    const again = await enterSecond(second.browser, code);
    expect(again.status).toBe(400);
    expect(textOf(parsePage(await again.text()), '#code-error')).toContain('already used');
    expect((await enterSecond(second.browser, await codeAt(world, secret, -STEP))).status).toBe(400);
    expect((await enterSecond(second.browser, await codeAt(world, secret, STEP))).status).toBe(303);
  });

  it('rejects the code that confirmed the set-up', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    world.service.clock.advance(-STEP);
    // The set-up was confirmed one minute before enrol returned.
    expect((await enterSecond(client.browser, await codeAt(world, secret, -STEP))).status).toBe(400);
  });

  it('lets one of two browsers win that send the same code at the same time', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const clients = [world.from(OTHER_NETWORK), world.from('203.0.113.5')];
    for (const client of clients) await finishFirstStep(world, client, ADA);
    const code = await codeAt(world, secret);
    const responses = await Promise.all(clients.map(({ browser }) => enterSecond(browser, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
  });

  it('starts one session if a browser sends the code twice at the same time', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    const code = await codeAt(world, secret);
    const responses = await Promise.all([
      enterSecond(client.browser, code),
      enterSecond(client.browser, code),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
  });

  it('ends after five wrong codes, and starts again', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    const wrong = await wrongCode(world, secret);
    for (const left of ['4 tries', '3 tries', '2 tries', 'One try']) {
      const response = await enterSecond(client.browser, wrong);
      expect(response.status).toBe(400);
      expect(textOf(parsePage(await response.text()), '#code-error')).toContain(`${left} left`);
    }
    const pending = new Map(client.browser.cookies);
    const last = await enterSecond(client.browser, wrong);
    expect(last.status).toBe(400);
    expect(textOf(parsePage(await last.text()), 'main')).toContain('no tries left. Start again.');
    for (const [name, value] of pending) (client.browser.cookies as Map<string, string>).set(name, value);
    expect((await enterSecond(client.browser, await codeAt(world, secret))).status).toBe(400);
    expect(await isSignedIn(client.browser)).toBe(false);
  });

  it('counts parallel guesses', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    const wrong = await wrongCode(world, secret);
    await Promise.all(Array.from({ length: 12 }, () => enterSecond(client.browser, wrong)));
    expect((await enterSecond(client.browser, await codeAt(world, secret))).status).toBe(400);
    expect(await isSignedIn(client.browser)).toBe(false);
  });

  it('allows twenty wrong codes in a day for a user, from all networks together', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const wrong = await wrongCode(world, secret);
    for (const network of [1, 2, 3, 4]) {
      const guesser = await clientAtSecondStep(world, `203.0.113.${network}`, ADA);
      for (let guess = 0; guess < 5; guess += 1) await enterSecond(guesser.browser, wrong);
    }
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    const response = await enterSecond(client.browser, await codeAt(world, secret));
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3600);
    expect(await isSignedIn(client.browser)).toBe(false);
    world.service.clock.advance(DAY);
    await finishFirstStep(world, client, ADA);
    expect((await enterSecond(client.browser, await codeAt(world, secret))).status).toBe(303);
  });

  it('does not count right codes', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = world.from(OTHER_NETWORK);
    for (let time = 0; time < 21; time += 1) {
      world.service.clock.advance(DAY / 20);
      await finishFirstStep(world, client, ADA);
      expect((await enterSecond(client.browser, await codeAt(world, secret))).status).toBe(303);
    }
  });

  it('expires ten minutes after the first step', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    world.service.clock.advance(10 * MINUTE - 1);
    expect((await client.get(`${SECOND_STEP}?continue=%2Faccount`)).status).toBe(200);
    world.service.clock.advance(1);
    expect((await client.get(`${SECOND_STEP}?continue=%2Faccount`)).headers.get('location')).toBe(
      '/sign-in?continue=%2Faccount&choose=1',
    );
    expect((await enterSecond(client.browser, await codeAt(world, secret))).status).toBe(400);
    expect(await isSignedIn(client.browser)).toBe(false);
  });

  it('logs each result with the user, and neither codes nor the secret', async ({ world }) => {
    const { secret, recoveryCodes } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    await enterSecond(client.browser, await wrongCode(world, secret));
    const code = await codeAt(world, secret);
    await enterSecond(client.browser, code);
    const log = world.service.log.join('\n');
    for (const message of [
      'Two-step sign-in was turned on',
      'Sign-in waits for the second step',
      'Second step rejected: wrong code',
      'User signed in with a second step',
    ])
      expect(log).toContain(message);
    for (const hidden of [secret, code, ...recoveryCodes]) expect(log).not.toContain(hidden);
  });
});

describe('recovery code', () => {
  it('takes the place of the app once, in any case and grouping, and the user receives a mail', async ({
    world,
  }) => {
    const { recoveryCodes } = await enrol(world, world.from('192.0.2.1'), ADA);
    const [first = '', second = ''] = recoveryCodes;
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    expect((await enterSecond(client.browser, first.toLowerCase().replaceAll('-', ' '))).status).toBe(303);
    await world.service.server.runBackgroundWork();
    const mail = world.mails.at(-1);
    expect([mail?.to, mail?.subject]).toEqual([ADA, 'A recovery code was used']);
    expect(mail?.text).toContain('Codes left: 9');
    expect(mail?.text).not.toContain(first);

    const again = await clientAtSecondStep(world, '203.0.113.5', ADA);
    expect((await enterSecond(again.browser, first)).status).toBe(400);
    expect(await isSignedIn(again.browser)).toBe(false);
    expect((await enterSecond(again.browser, second)).status).toBe(303);
  });

  it('works for one of two browsers that send it at the same time', async ({ world }) => {
    const { recoveryCodes } = await enrol(world, world.from('192.0.2.1'), ADA);
    const clients = [world.from(OTHER_NETWORK), world.from('203.0.113.5')];
    for (const client of clients) await finishFirstStep(world, client, ADA);
    const code = recoveryCodes[3] ?? '';
    const responses = await Promise.all(clients.map(({ browser }) => enterSecond(browser, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
    await world.service.server.runBackgroundWork();
    expect(world.mails.filter(({ subject }) => subject === 'A recovery code was used')).toHaveLength(1);
  });

  it('of another user does not work', async ({ world }) => {
    await enrol(world, world.from('192.0.2.1'), ADA);
    const grace = await enrol(world, world.from('192.0.2.2'), 'grace@example.com');
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    expect((await enterSecond(client.browser, grace.recoveryCodes[0] ?? '')).status).toBe(400);
  });

  it('does not work after new ones were created', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    const { secret, recoveryCodes } = await enrol(world, ada, ADA);
    expect((await changeWith(ada.browser, 'recovery-codes', await codeAt(world, secret))).status).toBe(200);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    expect((await enterSecond(client.browser, recoveryCodes[0] ?? '')).status).toBe(400);
  });
});

describe('attack on the second step', () => {
  it('by opening other pages before it finds no session', async ({ world }) => {
    await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    for (const path of ['/account', '/account/two-step', '/developer', '/seller'])
      expect((await client.get(path)).headers.get('location')).toMatch(/^\/sign-in\?/);
    // The sign-in page would continue at once if there were a session.
    expect((await client.get('/sign-in?continue=%2Faccount')).status).toBe(200);
  });

  it('with the same e-mailed code again starts nothing', async ({ world }) => {
    await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    expect((await client.enter(newestCode(world, ADA))).status).toBe(400);
  });

  it('in a browser without the cookie of the first step is rejected', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    await finishFirstStep(world, world.from(OTHER_NETWORK), ADA);
    const attacker = world.from('203.0.113.5');
    expect((await enterSecond(attacker.browser, await codeAt(world, secret))).status).toBe(400);
    expect(await isSignedIn(attacker.browser)).toBe(false);
  });

  it('with the first step of another user reaches only that user', async ({ world }) => {
    const ada = await enrol(world, world.from('192.0.2.1'), ADA);
    await enrol(world, world.from('192.0.2.2'), 'mallory@example.com');
    const attacker = await clientAtSecondStep(world, '203.0.113.5', 'mallory@example.com');
    expect((await enterSecond(attacker.browser, await codeAt(world, ada.secret))).status).toBe(400);
    expect((await enterSecond(attacker.browser, ada.recoveryCodes[0] ?? '')).status).toBe(400);
    expect(await isSignedIn(attacker.browser)).toBe(false);
  });

  it('with the cookie of a finished sign-in starts no session', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    const stolen = [...client.browser.cookies];
    expect((await enterSecond(client.browser, await codeAt(world, secret))).status).toBe(303);
    world.service.clock.advance(MINUTE);
    const thief = world.from('203.0.113.5');
    for (const [name, value] of stolen) (thief.browser.cookies as Map<string, string>).set(name, value);
    expect((await enterSecond(thief.browser, await codeAt(world, secret))).status).toBe(400);
    expect(await isSignedIn(thief.browser)).toBe(false);
  });

  it('with a session that has ended finds no session', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    await enrol(world, ada, ADA);
    const old = [...ada.browser.cookies];
    await ada.browser.post('/sign-out', {});
    await finishFirstStep(world, ada, ADA);
    for (const [name, value] of old) (ada.browser.cookies as Map<string, string>).set(name, value);
    expect(await isSignedIn(ada.browser)).toBe(false);
  });

  it('from another site is rejected', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    const foreign = { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' };
    const fields = { code: await codeAt(world, secret), continue: '/account' };
    expect((await client.browser.post(SECOND_STEP, fields, foreign)).status).toBe(403);
    expect(await isSignedIn(client.browser)).toBe(false);
  });

  it('by a link from a mail gives an allowance for codes, and no session', async ({ world }) => {
    await enrol(world, world.from('192.0.2.1'), ADA);
    const client = world.from(OTHER_NETWORK);
    // Many requests lead to the link.
    for (let request = 0; request < 4; request += 1) await client.ask(ADA);
    const text = world.mails.findLast(({ to }) => to === ADA)?.text ?? '';
    const [link = ''] = /http\S+\/sign-in\/browser\S+/.exec(text) ?? [];
    expect(link).not.toBe('');
    await client.get(link.slice(world.service.baseUrl.length));
    expect(await isSignedIn(client.browser)).toBe(false);
    await finishFirstStep(world, client, ADA);
    expect(await isSignedIn(client.browser)).toBe(false);
  });

  it('with a continue address of another site ends on the account page', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, OTHER_NETWORK, ADA);
    const response = await enterSecond(
      client.browser,
      await codeAt(world, secret),
      'https://attacker.example/',
    );
    expect(response.headers.get('location')).toBe('/account');
  });
});
