import { describe, expect } from 'vitest';
import { errorsOn, fillIn } from './area-forms.js';
import { locationOf } from './browser.js';
import { parsePage } from './pages/page-document.js';
import { it, signIn } from './sign-in-world.js';
import { codeAt, enrol, MINUTE, wrongCode } from './two-step-world.js';

const PAGE = '/account/export';
const EVE = 'eve@example.com';

describe('proof before the download', () => {
  it('is a sign-in of the last ten minutes', async ({ world }) => {
    const client = world.from('192.0.2.1');
    await signIn(world, client, EVE);
    world.service.clock.advance(10 * MINUTE + 1);
    const $ = parsePage(await (await client.get(PAGE)).text());
    expect($(`form[action="${PAGE}"]`)).toHaveLength(0);
    const continued = $('#sign-in-again input[name="continue"]').attr('value') ?? '';
    expect(continued).toBe(`/sign-in?continue=${encodeURIComponent(PAGE)}`);
    const account = (await world.service.server.operator.findUser(EVE)).id;
    const late = await client.browser.post(PAGE, { account });
    expect([late.status, locationOf(late)]).toEqual([303, PAGE]);
    await signIn(world, client, EVE);
    expect((await fillIn(client.browser, { path: PAGE }, {})).status).toBe(200);
  });

  it('is a second factor with two-step sign-in, also after a recent sign-in', async ({ world }) => {
    const client = world.from('192.0.2.1');
    const { secret, recoveryCodes } = await enrol(world, client, EVE);
    const wrong = await fillIn(client.browser, { path: PAGE }, { code: await wrongCode(world, secret) });
    expect(wrong.status).toBe(400);
    expect(Object.keys(await errorsOn(wrong))).toEqual(['code']);
    const { id: account } = await world.service.server.operator.findUser(EVE);
    expect((await client.browser.post(PAGE, { account })).status).toBe(400);
    const code = await codeAt(world, secret);
    const response = await fillIn(client.browser, { path: PAGE }, { code });
    expect(response.status).toBe(200);
    const text = await response.text();
    for (const hidden of [secret, code, ...recoveryCodes]) expect(text).not.toContain(hidden);
    expect((JSON.parse(text) as { twoStepSignIn: unknown[] }).twoStepSignIn).toHaveLength(1);
    const again = await fillIn(client.browser, { path: PAGE }, { code });
    expect((await errorsOn(again)).code).toContain('already used');
  });

  it('stops after twenty wrong codes', async ({ world }) => {
    const client = world.from('192.0.2.1');
    const { secret } = await enrol(world, client, EVE);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 21; attempt += 1) {
      const code = await wrongCode(world, secret);
      statuses.push((await fillIn(client.browser, { path: PAGE }, { code })).status);
    }
    expect([statuses.at(19), statuses.at(20)]).toEqual([400, 429]);
  });
});
