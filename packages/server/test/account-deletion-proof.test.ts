import { describe, expect } from 'vitest';
import { errorsOn, fillIn } from './area-forms.js';
import { locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { it, type SignInWorld, signIn } from './sign-in-world.js';
import { codeAt, enrol, MINUTE, wrongCode } from './two-step-world.js';

const PAGE = '/account/delete';
const EVE = 'eve@example.com';

/** Sends the queued mails, and returns the newest one to an address. */
async function newestMail({ service, mails }: SignInWorld, email: string) {
  await service.server.runBackgroundWork();
  return mails.findLast(({ to }) => to === email);
}

describe('proof before the deletion', () => {
  it('is a sign-in of the last ten minutes', async ({ world }) => {
    const client = world.from('192.0.2.1');
    await signIn(world, client, EVE);
    world.service.clock.advance(10 * MINUTE + 1);
    const $ = parsePage(await (await client.get(PAGE)).text());
    expect($(`form[action="${PAGE}"]`)).toHaveLength(0);
    expect($('#sign-in-again').nextAll('#consequences')).toHaveLength(1);
    const continued = $('#sign-in-again input[name="continue"]').attr('value') ?? '';
    expect(continued).toBe(`/sign-in?continue=${encodeURIComponent(PAGE)}`);
    const account = (await world.service.server.operator.findUser(EVE)).id;
    const late = await client.browser.post(PAGE, { account, email: EVE });
    expect([late.status, locationOf(late)]).toEqual([303, PAGE]);
    expect(await world.service.server.operator.findUser(EVE)).toMatchObject({ id: account });

    await signIn(world, client, EVE);
    expect((await fillIn(client.browser, { path: PAGE }, { email: EVE })).status).toBe(200);
    await expect(world.service.server.operator.findUser(EVE)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is a second factor with two-step sign-in, also after a recent sign-in', async ({ world }) => {
    const client = world.from('192.0.2.1');
    const { secret, recoveryCodes } = await enrol(world, client, EVE);
    const { id } = await world.service.server.operator.findUser(EVE);
    world.service.clock.advance(60 * MINUTE);
    const wrong = await fillIn(
      client.browser,
      { path: PAGE },
      { email: EVE, code: await wrongCode(world, secret) },
    );
    expect(wrong.status).toBe(400);
    expect(Object.keys(await errorsOn(wrong))).toEqual(['code']);
    const missing = await client.browser.post(PAGE, { account: id, email: EVE });
    expect(missing.status).toBe(400);
    expect(await world.service.server.operator.findUser(EVE)).toMatchObject({ id });
    const code = await codeAt(world, secret);
    const done = await fillIn(client.browser, { path: PAGE }, { email: EVE, code });
    expect(textOf(parsePage(await done.text()), 'h1')).toBe('Your account is deleted');

    // The next account of the address has no second factor, and the old recovery codes are gone.
    await signIn(world, world.from('192.0.2.2'), EVE);
    expect((await world.service.server.operator.findUser(EVE)).id).not.toBe(id);
    expect(recoveryCodes).toHaveLength(10);
  });

  it('stops after twenty wrong codes', async ({ world }) => {
    const client = world.from('192.0.2.1');
    const { secret } = await enrol(world, client, EVE);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 21; attempt += 1) {
      const code = await wrongCode(world, secret);
      statuses.push((await fillIn(client.browser, { path: PAGE }, { email: EVE, code })).status);
    }
    expect([statuses.at(19), statuses.at(20)]).toEqual([400, 429]);
  });
});

describe('mail about the deletion of an account', () => {
  it('names the browser of the user, and leaves no address behind', async ({ world }) => {
    const client = world.from('192.0.2.1');
    await signIn(world, client, EVE);
    await fillIn(client.browser, { path: PAGE }, { email: EVE });
    const mail = await newestMail(world, EVE);
    expect(mail?.subject).toBe('Your account was deleted');
    expect(mail?.text).toContain('was deleted in a browser that was signed in to it');
    expect(mail?.text).toContain('Network');
    expect(mail?.text).toContain('Sellers keep the payments for their books');
  });

  it('says that the operator deleted it, and is sent once', async ({ world }) => {
    const client = world.from('192.0.2.1');
    await signIn(world, client, EVE);
    const { operator } = world.service.server;
    const { id } = await operator.findUser(EVE);
    await operator.deleteUser({ id });
    await operator.deleteUser({ id });
    expect((await newestMail(world, EVE))?.text).toContain('The operator of the service deleted the account');
    expect(world.mails.filter(({ subject }) => subject === 'Your account was deleted')).toHaveLength(1);
  });
});
