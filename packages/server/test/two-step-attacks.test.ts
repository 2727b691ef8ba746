import { describe, expect } from 'vitest';
import { sql } from '../src/platform/database/kysely.js';
import { openDatabase } from '../src/platform/database/open-database.js';
import { fillIn, hiddenFields } from './area-forms.js';
import type { Browser } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, newestCode, type SignInWorld, signIn, startSignInWorld } from './sign-in-world.js';
import {
  beginSetup,
  changeWith,
  clientAtSecondStep,
  codeAt,
  confirmSetup,
  DAY,
  type EnrolledUser,
  enrol,
  enterSecond,
  finishFirstStep,
  isSignedIn,
  MINUTE,
  readSetup,
  recoveryCodesOn,
  SECOND_STEP,
  signedInClient,
  startSetup,
  TWO_STEP,
  wrongCode,
} from './two-step-world.js';

const ADA = 'ada@example.com';
const HOME = '192.0.2.1';
const ELSEWHERE = '198.51.100.7';

/** Repetitions, because the requests meet by chance. */
const ROUNDS = 10;

/** Enters twenty wrong codes with Ada's mailbox alone, from four networks. */
async function guessWithMailbox(world: SignInWorld, { secret }: EnrolledUser, email = ADA): Promise<void> {
  const wrong = await wrongCode(world, secret);
  for (const network of [1, 2, 3, 4]) {
    const thief = await clientAtSecondStep(world, `203.0.113.${network}`, email);
    for (let guess = 0; guess < 5; guess += 1)
      expect((await enterSecond(thief.browser, wrong)).status).toBe(400);
  }
}

/** Copies the cookies of one browser to another. */
function steal(from: Browser, to: Browser): void {
  for (const [name, value] of from.cookies) (to.cookies as Map<string, string>).set(name, value);
}

describe('attacker with the mailbox of another person', () => {
  it('does not lock out a browser that passed the second step before', async ({ world }) => {
    const ada = world.from(HOME);
    const enrolled = await enrol(world, ada, ADA);
    const laptop = await clientAtSecondStep(world, ELSEWHERE, ADA);
    expect((await enterSecond(laptop.browser, await codeAt(world, enrolled.secret))).status).toBe(303);
    for (const { browser } of [ada, laptop]) await browser.post('/sign-out', {});
    world.service.clock.advance(MINUTE);
    await guessWithMailbox(world, enrolled);
    for (const client of [ada, laptop]) {
      await finishFirstStep(world, client, ADA);
      expect((await enterSecond(client.browser, await codeAt(world, enrolled.secret))).status).toBe(303);
      expect(await isSignedIn(client.browser)).toBe(true);
      world.service.clock.advance(MINUTE);
    }
  });

  it('does not lock out the browser that signed all others out', async ({ world }) => {
    const ada = world.from(HOME);
    const enrolled = await enrol(world, ada, ADA);
    const former = await clientAtSecondStep(world, ELSEWHERE, ADA);
    expect((await enterSecond(former.browser, await codeAt(world, enrolled.secret))).status).toBe(303);
    const $ = parsePage(await (await ada.browser.get('/account/sessions')).text());
    const account = $('input[name="account"]').first().attr('value') ?? '';
    const ended = await ada.browser.post('/account/sessions/end', { account, which: 'others' });
    expect(ended.headers.get('location')).toContain('done=others');
    await ada.browser.post('/sign-out', {});
    world.service.clock.advance(MINUTE);
    await guessWithMailbox(world, enrolled);
    for (const [client, status] of [
      [ada, 303],
      [former, 429],
    ] as const) {
      await finishFirstStep(world, client, ADA);
      expect((await enterSecond(client.browser, await codeAt(world, enrolled.secret))).status).toBe(status);
      world.service.clock.advance(MINUTE);
    }
  });

  it('neither locks out the browser that changed the address, nor guesses in one that passed before', async ({
    world,
  }) => {
    const ada = world.from(HOME);
    const enrolled = await enrol(world, ada, ADA);
    const former = await clientAtSecondStep(world, ELSEWHERE, ADA);
    expect((await enterSecond(former.browser, await codeAt(world, enrolled.secret))).status).toBe(303);
    world.service.clock.advance(MINUTE);
    const code = await codeAt(world, enrolled.secret);
    const email = 'ada@new.example';
    await fillIn(ada.browser, { path: '/account/email' }, { email, code });
    await fillIn(ada.browser, { path: '/account/email/confirm' }, { code: newestCode(world, email) });
    await ada.browser.post('/sign-out', {});
    world.service.clock.advance(MINUTE);
    await guessWithMailbox(world, enrolled, email);
    for (const [client, status] of [
      [ada, 303],
      [former, 429],
    ] as const) {
      await finishFirstStep(world, client, email);
      expect((await enterSecond(client.browser, await codeAt(world, enrolled.secret))).status).toBe(status);
      world.service.clock.advance(MINUTE);
    }
  });

  it('does not stop a recovery code in a new browser', async ({ world }) => {
    const enrolled = await enrol(world, world.from(HOME), ADA);
    await guessWithMailbox(world, enrolled);
    const client = await clientAtSecondStep(world, ELSEWHERE, ADA);
    const rejected = await enterSecond(client.browser, await codeAt(world, enrolled.secret));
    expect(rejected.status).toBe(429);
    const $ = parsePage(await rejected.text());
    expect(textOf($, 'main')).toContain('recovery code');
    const form = $('main a')
      .toArray()
      .map((link) => $(link).attr('href') ?? '')
      .find((href) => href.startsWith(SECOND_STEP));
    expect((await client.get(form ?? '')).status).toBe(200);
    expect((await enterSecond(client.browser, enrolled.recoveryCodes[0] ?? '')).status).toBe(303);
    expect(await isSignedIn(client.browser)).toBe(true);
  });

  it('does not stop the user in a session from turning it off', async ({ world }) => {
    const ada = world.from(HOME);
    const enrolled = await enrol(world, ada, ADA);
    await guessWithMailbox(world, enrolled);
    const old = world.from(ELSEWHERE);
    steal(ada.browser, old.browser);
    for (const name of old.browser.cookies.keys())
      if (name.includes('_proven_')) (old.browser.cookies as Map<string, string>).delete(name);
    const rejected = await changeWith(old.browser, 'turn-off', await codeAt(world, enrolled.secret));
    expect(rejected.status).toBe(429);
    const again = parsePage(await rejected.text());
    expect(again('main a').attr('href')).toBe(`${TWO_STEP}/turn-off`);
    const off = await changeWith(ada.browser, 'turn-off', await codeAt(world, enrolled.secret));
    expect(off.headers.get('location')).toBe(`${TWO_STEP}?done=two-step-off`);
  });

  it('gets no more guesses in a browser that the first step has made known', async ({ world }) => {
    const enrolled = await enrol(world, world.from(HOME), ADA);
    const thief = world.from('203.0.113.5');
    const wrong = await wrongCode(world, enrolled.secret);
    const statuses: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      await finishFirstStep(world, thief, ADA);
      for (let guess = 0; guess < 5; guess += 1)
        statuses.push((await enterSecond(thief.browser, wrong)).status);
    }
    expect(statuses).toEqual([...Array(20).fill(400), 429, 429, 429, 429, 429]);
  });

  it('gets no more guesses with forged cookies of browsers that passed', async ({ world }) => {
    const ada = world.from(HOME);
    const enrolled = await enrol(world, ada, ADA);
    await guessWithMailbox(world, enrolled);
    const [name = ''] = [...ada.browser.cookies.keys()].filter((cookie) => cookie.includes('_proven_'));
    expect(name).not.toBe('');
    const thief = await clientAtSecondStep(world, '203.0.113.5', ADA);
    const wrong = await wrongCode(world, enrolled.secret);
    const ownKnown = [...thief.browser.cookies].find(([cookie]) => cookie.includes('_known_'))?.[1] ?? '';
    for (const forged of ['x', 'y'.repeat(43), ownKnown]) {
      (thief.browser.cookies as Map<string, string>).set(name, forged);
      expect((await enterSecond(thief.browser, wrong)).status).toBe(429);
    }
  });

  it('also with the cookies of a browser that passed gets twenty guesses a day', async ({ world }) => {
    const ada = world.from(HOME);
    const enrolled = await enrol(world, ada, ADA);
    const thief = world.from('203.0.113.5');
    steal(ada.browser, thief.browser);
    await ada.browser.post('/sign-out', {});
    const wrong = await wrongCode(world, enrolled.secret);
    let guesses = 0;
    for (let round = 0; round < 6; round += 1) {
      await finishFirstStep(world, thief, ADA);
      for (let guess = 0; guess < 5; guess += 1)
        if ((await enterSecond(thief.browser, wrong)).status === 400) guesses += 1;
      world.service.clock.advance(15 * MINUTE);
    }
    expect(guesses).toBe(20);
    world.service.clock.advance(DAY);
    await finishFirstStep(world, thief, ADA);
    expect((await enterSecond(thief.browser, wrong)).status).toBe(400);
  });

  it('has no use of a browser that passed before it was set up again', async ({ world }) => {
    const [old, ada] = [world.from(ELSEWHERE), world.from(HOME)];
    const first = await enrol(world, old, ADA);
    expect((await changeWith(old.browser, 'turn-off', await codeAt(world, first.secret))).status).toBe(303);
    const enrolled = await enrol(world, ada, ADA);
    await old.browser.post('/sign-out', {});
    await guessWithMailbox(world, enrolled);
    await finishFirstStep(world, old, ADA);
    expect((await enterSecond(old.browser, await codeAt(world, enrolled.secret))).status).toBe(429);
  });

  it('keeps no session that starts while the user turns it on', async ({ world }) => {
    const survivors: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const email = `person-${round}@example.com`;
      const user = await signedInClient(world, `192.0.2.${round + 1}`, email);
      const thieves = Array.from({ length: 6 }, (_, number) => world.from(`203.0.${round}.${number}`));
      const codes: string[] = [];
      for (const thief of thieves) {
        await thief.ask(email);
        codes.push(newestCode(world, email));
      }
      const { secret } = await beginSetup(user.browser);
      const action = `${TWO_STEP}/confirm`;
      const hidden = await hiddenFields(user.browser, `${TWO_STEP}/set-up`, action);
      const fields = { ...hidden, code: await codeAt(world, secret), others: 'on' };
      const inFlight = thieves.map((thief, index) => thief.enter(codes[index] ?? ''));
      // The other requests are at different points of their way now.
      await Promise.race(inFlight);
      expect((await user.browser.post(action, fields)).status).toBe(200);
      await Promise.all(inFlight);
      for (const { browser } of thieves) if (await isSignedIn(browser)) survivors.push(`round ${round}`);
    }
    expect(survivors).toEqual([]);
  });
});

describe('user of an attacked account', () => {
  it('receives one mail a day about sign-ins that end with five wrong codes', async ({ world }) => {
    const enrolled = await enrol(world, world.from(HOME), ADA);
    const subject = 'A sign-in stopped at the second step';
    const warnings = async () => {
      await world.service.server.runBackgroundWork();
      return world.mails.filter((mail) => mail.to === ADA && mail.subject === subject);
    };
    const thief = await clientAtSecondStep(world, '203.0.113.9', ADA);
    const wrong = await wrongCode(world, enrolled.secret);
    for (let guess = 0; guess < 4; guess += 1) await enterSecond(thief.browser, wrong);
    expect(await warnings()).toHaveLength(0);
    await enterSecond(thief.browser, wrong);
    expect(await warnings()).toHaveLength(1);
    expect((await warnings())[0]?.text).toContain('Change the password of your mailbox');
    await finishFirstStep(world, thief, ADA);
    for (let guess = 0; guess < 5; guess += 1) await enterSecond(thief.browser, 'no recovery code');
    expect(await warnings()).toHaveLength(1);
    world.service.clock.advance(DAY);
    await finishFirstStep(world, thief, ADA);
    for (let guess = 0; guess < 5; guess += 1) await enterSecond(thief.browser, 'no recovery code');
    expect(await warnings()).toHaveLength(2);
  });
});

describe('attacker with a stolen session cookie', () => {
  it('is signed out before the secret of a set-up is created', async ({ world }) => {
    const [ada, thief] = [world.from(HOME), world.from('203.0.113.5')];
    await signIn(world, ada, ADA);
    steal(ada.browser, thief.browser);
    expect(await isSignedIn(thief.browser)).toBe(true);
    await startSetup(ada.browser);
    expect((await thief.get(`${TWO_STEP}/set-up`)).headers.get('location')).toMatch(/^\/sign-in\?/);
    const { secret } = await readSetup(ada.browser);
    expect((await confirmSetup(ada.browser, await codeAt(world, secret), 'on')).status).toBe(200);
    expect(await isSignedIn(thief.browser)).toBe(false);
    expect(await isSignedIn(ada.browser)).toBe(true);
  });

  it('leaves the user signed in who starts a set-up in two tabs at the same time', async ({ world }) => {
    const ada = await signedInClient(world, HOME, ADA);
    const action = `${TWO_STEP}/set-up`;
    const hidden = await hiddenFields(ada.browser, TWO_STEP, action);
    const started = await Promise.all([1, 2, 3].map(() => ada.browser.post(action, hidden)));
    for (const { status } of started) expect(status).toBe(303);
    const { secret } = await readSetup(ada.browser);
    expect((await confirmSetup(ada.browser, await codeAt(world, secret))).status).toBe(200);
    expect(await isSignedIn(ada.browser)).toBe(true);
  });

  it('gains no later sign-in time from a set-up', async ({ world }) => {
    const ada = await signedInClient(world, HOME, ADA);
    world.service.clock.advance(9 * MINUTE);
    await startSetup(ada.browser);
    world.service.clock.advance(2 * MINUTE);
    const page = parsePage(await (await ada.get(TWO_STEP)).text());
    expect(textOf(page, 'main')).toContain('a sign-in of the last ten minutes');
  });
});

describe('write of the second step', () => {
  it('is undone with its recovery code if the session cannot be stored', async ({ world, database }) => {
    const { recoveryCodes } = await enrol(world, world.from(HOME), ADA);
    const [code = ''] = recoveryCodes;
    const client = await clientAtSecondStep(world, ELSEWHERE, ADA);
    const db = await openDatabase(database);
    await sql`alter table user_sessions rename to user_sessions_away`.execute(db);
    expect((await enterSecond(client.browser, code)).status).toBe(500);
    await sql`alter table user_sessions_away rename to user_sessions`.execute(db);
    await db.destroy();
    expect((await enterSecond(client.browser, code)).status).toBe(303);
    expect(await isSignedIn(client.browser)).toBe(true);
    await world.service.server.runBackgroundWork();
    expect(world.mails.filter(({ subject }) => subject === 'A recovery code was used')).toHaveLength(1);
  });

  it('is undone with its recovery code if the previous session cannot be ended', async ({
    world,
    database,
  }) => {
    const ada = world.from(HOME);
    const { recoveryCodes } = await enrol(world, ada, ADA);
    const [code = ''] = recoveryCodes;
    await finishFirstStep(world, ada, ADA);
    const db = await openDatabase(database);
    await sql`create table holds (id text references user_sessions (id_hash))`.execute(db);
    await sql`insert into holds select id_hash from user_sessions`.execute(db);
    expect((await enterSecond(ada.browser, code)).status).toBe(500);
    await sql`drop table holds`.execute(db);
    await db.destroy();
    expect((await enterSecond(ada.browser, code)).status).toBe(303);
    expect(await isSignedIn(ada.browser)).toBe(true);
    const sessions = parsePage(await (await ada.get('/account/sessions')).text());
    expect(sessions('form[action="/account/sessions/sign-out"]')).toHaveLength(0);
  });

  it('leaves ten recovery codes if app and recovery code renew them at the same time', async ({ world }) => {
    const ada = world.from(HOME);
    const { secret } = await enrol(world, ada, ADA);
    const path = `${TWO_STEP}/recovery-codes`;
    const hidden = await hiddenFields(ada.browser, path, path);
    for (let round = 0; round < ROUNDS; round += 1) {
      const renewed = await ada.browser.post(path, { ...hidden, code: await codeAt(world, secret) });
      const [recoveryCode = ''] = await recoveryCodesOn(renewed);
      world.service.clock.advance(MINUTE);
      const entered = [recoveryCode, await codeAt(world, secret)];
      await Promise.all(entered.map((code) => ada.browser.post(path, { ...hidden, code })));
      const page = parsePage(await (await ada.get(TWO_STEP)).text());
      expect(textOf(page, '#recovery-codes')).toContain('You have 10 recovery codes left.');
      world.service.clock.advance(MINUTE);
    }
  });
});

describe('several processes', () => {
  it('accept a code of the app and a recovery code once in all', async ({
    world,
    database,
    onTestFinished,
  }) => {
    const { secret, recoveryCodes } = await enrol(world, world.from(HOME), ADA);
    const other = await startSignInWorld({ database });
    onTestFinished(() => other.service.server.close());
    other.service.clock.set(world.service.clock.now());
    for (const code of [await codeAt(world, secret), recoveryCodes[0] ?? '']) {
      const clients = [world.from(ELSEWHERE), other.from('203.0.113.5')] as const;
      await finishFirstStep(world, clients[0], ADA);
      await finishFirstStep(other, clients[1], ADA);
      const responses = await Promise.all(clients.map(({ browser }) => enterSecond(browser, code)));
      expect(responses.map(({ status }) => status).sort()).toEqual([303, 400]);
      const again = other.from('203.0.113.6');
      await finishFirstStep(other, again, ADA);
      expect((await enterSecond(again.browser, code)).status).toBe(400);
    }
  });
});

describe('page', () => {
  it('before the first step does not reveal if a user has two-step sign-in', async ({ world }) => {
    await enrol(world, world.from(HOME), ADA);
    const pages: string[] = [];
    for (const email of [ADA, 'bob@example.com']) {
      const client = world.from(ELSEWHERE);
      const asked = await client.ask(email);
      const shown = await client.get(asked.headers.get('location') ?? '');
      const code = newestCode(world, email);
      const wrong = await client.enter(code === '000000' ? '000001' : '000000');
      const texts = [asked.status, await shown.text(), wrong.status, await wrong.text()].join('\n');
      pages.push(texts.replaceAll(email, 'EMAIL').replace(/\b[BCDFGHJKLMNPQRTV]{4}\b/g, 'REFERENCE'));
    }
    expect(pages[0]).toBe(pages[1]);
  });

  it('with a secret is neither stored, framed nor sent on as a referrer', async ({ world }) => {
    const ada = await signedInClient(world, HOME, ADA);
    await startSetup(ada.browser);
    const setup = await ada.get(`${TWO_STEP}/set-up`);
    const { secret } = await readSetup(ada.browser);
    const codes = await confirmSetup(ada.browser, await codeAt(world, secret));
    for (const { headers } of [setup, codes]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    }
  });

  it('accepts a code with the space that apps show in it', async ({ world }) => {
    const ada = await signedInClient(world, HOME, ADA);
    await startSetup(ada.browser);
    const setup = parsePage(await (await ada.get(`${TWO_STEP}/set-up`)).text());
    expect(Number(setup('#code').attr('maxlength'))).toBeGreaterThanOrEqual(7);
    const { secret } = await readSetup(ada.browser);
    await confirmSetup(ada.browser, await codeAt(world, secret));
    const client = await clientAtSecondStep(world, ELSEWHERE, ADA);
    const $ = parsePage(await (await client.get(`${SECOND_STEP}?continue=%2Faccount`)).text());
    expect(Number($('#code').attr('maxlength'))).toBeGreaterThanOrEqual(7);
    const pattern = new RegExp(`^(?:${$('#code').attr('pattern')})$`, 'v');
    expect(['123456', '123 456'].every((code) => pattern.test(code))).toBe(true);
    expect(['12345', '1234567', '12345a'].some((code) => pattern.test(code))).toBe(false);
  });

  it('of the settings shows a notice only if it is true', async ({ world }) => {
    const ada = world.from(HOME);
    const { secret } = await enrol(world, ada, ADA);
    const path = `${TWO_STEP}?done=two-step-off`;
    expect(textOf(parsePage(await (await ada.get(path)).text()), 'main')).not.toContain('is off');
    const off = await changeWith(ada.browser, 'turn-off', await codeAt(world, secret));
    expect(off.headers.get('location')).toBe(path);
    expect(textOf(parsePage(await (await ada.get(path)).text()), 'main')).toContain('is off');
  });
});

describe('log', () => {
  it('warns of each rejected second factor, with the user and without the code', async ({
    database,
    onTestFinished,
  }) => {
    const warnings: { message: string; fields: object }[] = [];
    const ignore = () => undefined;
    const warn = (fields: object, message: string) => {
      if (message.includes('rejected')) warnings.push({ message, fields });
    };
    const world = await startSignInWorld({ database, logger: { info: ignore, warn, error: ignore } });
    onTestFinished(() => world.service.server.close());
    const ada = world.from(HOME);
    const { secret } = await enrol(world, ada, ADA);
    const wrong = await wrongCode(world, secret);
    const client = await clientAtSecondStep(world, ELSEWHERE, ADA);
    await enterSecond(client.browser, wrong);
    await changeWith(ada.browser, 'turn-off', wrong);
    await changeWith(ada.browser, 'recovery-codes', wrong);
    expect(warnings.map(({ message }) => message)).toEqual([
      'Second step rejected: wrong code',
      'A second factor was rejected',
      'A second factor was rejected',
    ]);
    for (const { fields } of warnings) {
      expect(fields).toHaveProperty('userId', expect.stringMatching(/^[0-9a-f-]{36}$/));
      expect(JSON.stringify(fields)).not.toContain(wrong);
    }
  });
});
