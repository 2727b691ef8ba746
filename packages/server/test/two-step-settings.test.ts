import { describe, expect } from 'vitest';
import { totpCode } from '../src/features/two-step/authenticator-app.js';
import { openDatabase } from '../src/platform/database/open-database.js';
import { errorsOn, fillIn } from './area-forms.js';
import type { Browser } from './browser.js';
import { everythingStored } from './database/everything-stored.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type SignInWorld, signIn } from './sign-in-world.js';
import {
  beginSetup,
  changeWith,
  clientAtSecondStep,
  codeAt,
  confirmSetup,
  DAY,
  enrol,
  enterSecond,
  finishFirstStep,
  isSignedIn,
  MINUTE,
  readSetup,
  recoveryCodesOn,
  signedInClient,
  startSetup,
  TWO_STEP,
  wrongCode,
} from './two-step-world.js';

const ADA = 'ada@example.com';

/** Sends queued mails, and returns the subjects of all mails about two-step sign-in. */
async function mailSubjects({ service, mails }: SignInWorld): Promise<string[]> {
  await service.server.runBackgroundWork();
  return mails.map(({ subject }) => subject).filter((subject) => /two-step|recovery/i.test(subject));
}

describe('set-up', () => {
  it('shows the secret as text, as a link and as a picture', async ({ world }) => {
    const { browser } = await signedInClient(world, '192.0.2.1', ADA);
    const { secret, address } = await beginSetup(browser);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(address).searchParams.get('secret')).toBe(secret);
    const $ = parsePage(await (await browser.get(`${TWO_STEP}/set-up`)).text());
    expect($('svg.qr-code path').attr('d')).toMatch(/^M4 4h7v1H4z/);
    expect($('svg.qr-code').attr('aria-label')).toContain('QR code');
  });

  it('is active only after a right code', async ({ world }) => {
    const ada = await signedInClient(world, '192.0.2.1', ADA);
    const { secret } = await beginSetup(ada.browser);
    const rejected = await confirmSetup(ada.browser, await wrongCode(world, secret));
    expect(rejected.status).toBe(400);
    expect(Object.keys(await errorsOn(rejected))).toEqual(['code']);
    expect(await mailSubjects(world)).toEqual([]);
    await signedInClient(world, '198.51.100.1', ADA);
    expect((await readSetup(ada.browser)).secret).toBe(secret);
    expect((await confirmSetup(ada.browser, await codeAt(world, secret))).status).toBe(200);
    expect(await mailSubjects(world)).toEqual(['Two-step sign-in is on']);
  });

  it('shows ten recovery codes of 120 bits once', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    const { recoveryCodes } = await enrol(world, ada, ADA);
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const code of recoveryCodes) expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){5}[A-HJ-NP-Z2-9]{4}$/);
    for (const path of [TWO_STEP, `${TWO_STEP}/set-up`, `${TWO_STEP}/recovery-codes`]) {
      const html = await (await ada.get(path)).text();
      for (const code of recoveryCodes) expect(html).not.toContain(code);
    }
  });

  it('needs a sign-in of the last ten minutes', async ({ world }) => {
    const ada = await signedInClient(world, '192.0.2.1', ADA);
    const page = { path: TWO_STEP, action: `${TWO_STEP}/set-up` };
    world.service.clock.advance(10 * MINUTE);
    expect((await fillIn(ada.browser, page, {})).headers.get('location')).toBe(`${TWO_STEP}/set-up`);
    world.service.clock.advance(1);
    const $ = parsePage(await (await ada.get(TWO_STEP)).text());
    expect($(`form[action="${page.action}"]`)).toHaveLength(0);
    expect(textOf($, 'main')).toContain('a sign-in of the last ten minutes');
    const account = await accountOf(ada.browser);
    const rejected = await ada.browser.post(page.action, { account });
    expect(rejected.headers.get('location')).toBe(TWO_STEP);
    const again = await fillIn(ada.browser, { path: TWO_STEP, action: '/sign-out' }, {});
    expect(again.headers.get('location')).toBe('/sign-in?continue=%2Faccount%2Ftwo-step');
    await signIn(world, ada, ADA);
    expect((await startSetup(ada.browser)).headers.get('location')).toBe(`${TWO_STEP}/set-up`);
  });

  it('expires after ten minutes', async ({ world }) => {
    const ada = await signedInClient(world, '192.0.2.1', ADA);
    const { secret } = await beginSetup(ada.browser);
    const fields = { account: await accountOf(ada.browser), code: '' };
    world.service.clock.advance(10 * MINUTE);
    expect((await ada.get(`${TWO_STEP}/set-up`)).headers.get('location')).toBe(TWO_STEP);
    const late = await ada.browser.post(`${TWO_STEP}/confirm`, {
      ...fields,
      code: await codeAt(world, secret),
    });
    expect(late.headers.get('location')).toBe(`${TWO_STEP}?done=setup-expired`);
  });

  it('belongs to one session: another session of the user neither sees nor confirms it', async ({
    world,
  }) => {
    const [ada, thief] = [world.from('192.0.2.1'), world.from('203.0.113.5')];
    await signIn(world, thief, ADA);
    const planted = await beginSetup(thief.browser);
    await signIn(world, ada, ADA);
    expect((await ada.get(`${TWO_STEP}/set-up`)).headers.get('location')).toBe(TWO_STEP);
    const { secret } = await beginSetup(ada.browser);
    expect(secret).not.toBe(planted.secret);
    expect((await confirmSetup(ada.browser, await codeAt(world, planted.secret))).status).toBe(400);
    expect((await confirmSetup(ada.browser, await codeAt(world, secret))).status).toBe(200);
    const account = await accountOf(ada.browser);
    const code = await codeAt(world, planted.secret);
    const late = await thief.browser.post(`${TWO_STEP}/confirm`, { account, code });
    expect(late.headers.get('location')).toBe(`${TWO_STEP}?done=setup-expired`);
  });

  it('shows a new secret each time', async ({ world }) => {
    const ada = await signedInClient(world, '192.0.2.1', ADA);
    const { secret } = await beginSetup(ada.browser);
    expect((await beginSetup(ada.browser)).secret).not.toBe(secret);
  });

  it('can sign out all other browsers', async ({ world }) => {
    const [ada, other] = [world.from('192.0.2.1'), world.from('198.51.100.1')];
    await signIn(world, other, ADA);
    await signIn(world, ada, ADA);
    const { secret } = await beginSetup(ada.browser);
    expect((await confirmSetup(ada.browser, await codeAt(world, secret), 'on')).status).toBe(200);
    expect(await isSignedIn(other.browser)).toBe(false);
    expect(await isSignedIn(ada.browser)).toBe(true);
  });

  it('is confirmed by one of two tabs', async ({ world }) => {
    const ada = await signedInClient(world, '192.0.2.1', ADA);
    const { secret } = await beginSetup(ada.browser);
    const fields = { account: await accountOf(ada.browser), code: await codeAt(world, secret) };
    const responses = await Promise.all([1, 2].map(() => ada.browser.post(`${TWO_STEP}/confirm`, fields)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 303]);
    expect(await mailSubjects(world)).toEqual(['Two-step sign-in is on']);
  });

  it('by a form of another site is rejected', async ({ world }) => {
    const ada = await signedInClient(world, '192.0.2.1', ADA);
    const { secret } = await beginSetup(ada.browser);
    const foreign = { origin: 'https://attacker.example', 'sec-fetch-site': 'cross-site' };
    const account = await accountOf(ada.browser);
    const code = await codeAt(world, secret);
    for (const step of ['set-up', 'confirm', 'turn-off', 'recovery-codes']) {
      const response = await ada.browser.post(`${TWO_STEP}/${step}`, { account, code }, foreign);
      expect(response.status).toBe(403);
    }
    expect((await readSetup(ada.browser)).secret).toBe(secret);
  });

  it('of a user who has it on changes nothing', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    await enrol(world, ada, ADA);
    const account = await accountOf(ada.browser);
    const response = await ada.browser.post(`${TWO_STEP}/set-up`, { account });
    expect(response.headers.get('location')).toBe(TWO_STEP);
    expect((await ada.get(`${TWO_STEP}/set-up`)).headers.get('location')).toBe(TWO_STEP);
  });
});

describe('turning off', () => {
  it('needs a current code of the app, and then the e-mailed code is enough', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    const { secret } = await enrol(world, ada, ADA);
    const rejected = await changeWith(ada.browser, 'turn-off', await wrongCode(world, secret));
    expect(rejected.status).toBe(400);
    expect(Object.keys(await errorsOn(rejected))).toEqual(['code']);
    const done = await changeWith(ada.browser, 'turn-off', await codeAt(world, secret));
    expect(done.headers.get('location')).toBe(`${TWO_STEP}?done=two-step-off`);
    expect(await mailSubjects(world)).toEqual(['Two-step sign-in is on', 'Two-step sign-in is off']);
    await signIn(world, world.from('198.51.100.1'), ADA);
  });

  it('works with a recovery code', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    const { recoveryCodes } = await enrol(world, ada, ADA);
    expect((await changeWith(ada.browser, 'turn-off', recoveryCodes[9] ?? '')).status).toBe(303);
    await signIn(world, world.from('198.51.100.1'), ADA);
  });

  it('rejects a code that a sign-in has used', async ({ world }) => {
    const { secret } = await enrol(world, world.from('192.0.2.1'), ADA);
    const client = await clientAtSecondStep(world, '198.51.100.1', ADA);
    const code = await codeAt(world, secret);
    await enterSecond(client.browser, code);
    const response = await changeWith(client.browser, 'turn-off', code);
    expect(response.status).toBe(400);
    expect((await errorsOn(response)).code).toContain('already used');
  });

  it('ends sign-ins that wait for the second step', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    const { secret } = await enrol(world, ada, ADA);
    const waiting = await clientAtSecondStep(world, '198.51.100.1', ADA);
    expect((await changeWith(ada.browser, 'turn-off', await codeAt(world, secret))).status).toBe(303);
    expect((await enterSecond(waiting.browser, await codeAt(world, secret, 30_000))).status).toBe(400);
    expect(await isSignedIn(waiting.browser)).toBe(false);
  });

  it('allows twenty wrong codes in a day', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    const { secret } = await enrol(world, ada, ADA);
    const wrong = await wrongCode(world, secret);
    const account = await accountOf(ada.browser);
    const path = `${TWO_STEP}/turn-off`;
    for (let guess = 0; guess < 20; guess += 1)
      expect((await ada.browser.post(path, { account, code: wrong })).status).toBe(400);
    const code = await codeAt(world, secret);
    const rejected = await ada.browser.post(path, { account, code });
    expect(rejected.status).toBe(429);
    world.service.clock.advance(DAY);
    expect((await changeWith(ada.browser, 'turn-off', await codeAt(world, secret))).status).toBe(303);
  });
});

describe('new recovery codes', () => {
  it('need a current code, are shown once and are mailed about', async ({ world }) => {
    const ada = world.from('192.0.2.1');
    const { secret, recoveryCodes } = await enrol(world, ada, ADA);
    const wrong = await wrongCode(world, secret);
    expect((await changeWith(ada.browser, 'recovery-codes', wrong)).status).toBe(400);
    const response = await changeWith(ada.browser, 'recovery-codes', await codeAt(world, secret));
    const codes = await recoveryCodesOn(response);
    expect(codes).toHaveLength(10);
    expect(codes.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    expect(await mailSubjects(world)).toEqual(['Two-step sign-in is on', 'You have new recovery codes']);
  });
});

describe('operator', () => {
  it('turns it off for a user, with a mail, and only once', async ({ world }) => {
    await enrol(world, world.from('192.0.2.1'), ADA);
    const { operator } = world.service.server;
    const { id } = await operator.findUser(ADA);
    await operator.change('users', id, { turnOffTwoStep: true });
    expect(await mailSubjects(world)).toContain('Two-step sign-in was turned off for you');
    await signIn(world, world.from('198.51.100.1'), ADA);
    const again = operator.change('users', id, { turnOffTwoStep: true });
    await expect(again).rejects.toThrow(/does not have two-step sign-in/);
    expect(world.service.log.join('\n')).toContain('Two-step sign-in was turned off by the operator');
  });
});

describe('storage', () => {
  it('contains nothing of a user whose row was deleted', async ({ world, database }) => {
    await enrol(world, world.from('192.0.2.1'), ADA);
    await finishFirstStep(world, world.from('198.51.100.1'), ADA);
    const db = await openDatabase(database);
    await db.deleteFrom('users').where('email', '=', ADA).execute();
    for (const table of ['second_factors', 'recovery_codes', 'second_step_attempts'] as const)
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    await db.destroy();
  });

  it('contains recovery codes, pending sign-ins and proven browsers as hashes only', async ({
    world,
    database,
  }) => {
    const ada = world.from('192.0.2.1');
    const { secret, recoveryCodes } = await enrol(world, ada, ADA);
    const client = await clientAtSecondStep(world, '198.51.100.1', ADA);
    const all = [...client.browser.cookies, ...ada.browser.cookies];
    const cookies = all.filter(([name]) => /second_step|proven/.test(name));
    expect(cookies).toHaveLength(2);
    const stored = await everythingStored(database);
    for (const hidden of [...recoveryCodes, ...cookies.map(([, value]) => value)]) {
      expect(stored.includes(hidden)).toBe(false);
      expect(stored.includes(hidden.replaceAll('-', ''))).toBe(false);
    }
    // Each code is computed from the secret, so it can't be hashed.
    expect(stored.includes(secret)).toBe(true);
    expect(await totpCode(secret, 0)).toMatch(/^\d{6}$/);
  });
});

async function accountOf(browser: Browser): Promise<string> {
  const $ = parsePage(await (await browser.get('/account/profile')).text());
  return $('input[name="account"]').attr('value') ?? '';
}
