import { describe, expect } from 'vitest';
import { type ScenarioEntry, sandboxScenario } from '../src/index.js';
import { callControl } from './control-caller.js';
import { parsePage } from './page-document.js';
import { it, type SandboxUnderTest, signedIn } from './sandbox-under-test.js';

const { community, users } = sandboxScenario;
const DAY_MS = 24 * 3600_000;

async function begin(service: SandboxUnderTest, scenario: string): Promise<void> {
  expect((await callControl(service, 'POST /reset', { scenario })).status).toBe(204);
}

describe('scenarios', () => {
  it('are listed with a sentence about the data and what to try', async ({ service }) => {
    const { body } = await callControl<{ scenarios: ScenarioEntry[] }>(service, 'GET /scenarios');
    expect(body.scenarios.map(({ name }) => name)).toEqual([
      'sample-data',
      'busy-shop',
      'lapsing-memberships',
      'failing-payments',
      'stranger',
      'empty',
    ]);
    for (const { title, summary, suggestions } of body.scenarios) {
      expect([title, summary, suggestions[0]]).toEqual([
        expect.stringMatching(/^[A-Z]/),
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ]);
    }
  });

  it('of memberships that end: they end in order, and a cancelled renewal is not charged', async ({
    service,
  }) => {
    await begin(service, 'lapsing-memberships');
    const { control } = service.server;
    const { happened } = await control.clock.advance(7 * 3600_000);
    const ends = happened.filter(({ kind }) => kind === 'membership-end').map(({ label }) => label);
    expect(ends).toEqual([
      `The membership of mia@example.com (${community.name}) ends.`,
      `The membership of hugo@example.com (${community.name}) ends.`,
      `The membership of carl@example.com (${community.name}) ends.`,
    ]);
    const renewals = happened.filter(({ eventType }) => eventType === 'payment.success');
    expect(renewals.length).toBe(1);
    // Nothing of the past is reported again: three ends, and the payment with its membership.
    expect(happened.filter(({ kind }) => kind === 'event').length).toBe(5);
    const browser = await signedIn(service, 'rolf@example.com');
    expect(await (await browser.get('/account')).text()).toContain('Cancel');
  });

  it('of failing payments: renewals are declined, and access stays until its end', async ({ service }) => {
    await begin(service, 'failing-payments');
    const { control } = service.server;
    const { happened } = await control.clock.moveToPreset('next-renewal');
    expect(happened.map(({ eventType }) => eventType)).toEqual(
      expect.arrayContaining(['payment.failed', 'payment.success']),
    );
    const later = await control.clock.advance(4 * DAY_MS);
    expect(later.happened.filter(({ kind }) => kind === 'membership-end').length).toBe(4);
  });

  it('of another seller: the key opens nothing of the sample data', async ({ service }) => {
    await begin(service, 'stranger');
    const call = (communityId: string) =>
      service.request('/membership/provision-external', {
        method: 'POST',
        headers: {
          Authorization: `Bearer svc_${'stranger'.repeat(5)}000`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ communityId, externalOrderId: 'order-1', email: users.ben.email }),
      });
    expect((await call(community.id)).status).toBe(403);
    expect((await call('5eed0000-0000-4000-8000-0000000000c8')).status).toBe(200);
    const { records: memberships } = await service.server.operator.list('memberships');
    const ofStrangers = memberships.filter(({ userId }) =>
      String(userId).startsWith('5eed0000-0000-4000-8000-00000000001'),
    );
    expect(ofStrangers.length).toBe(3);
    expect(JSON.stringify(ofStrangers)).not.toContain(community.id);
  });

  it('list their people on the sign-in page, each with a note', async ({ service }) => {
    await begin(service, 'lapsing-memberships');
    const text = await (await service.browser().get('/sign-in?continue=%2Faccount')).text();
    expect(text).toContain('Mia Minutes');
    expect(text).toContain('Membership ends in ten minutes');
    expect(text).toContain('Ada Member');
  });

  it('leave the owner and all people of the sample data on the sign-in page, and group their own', async ({
    service,
  }) => {
    const { operator } = service.server;
    const { scenarios } = service.server.control;
    await scenarios.add('lapsing-memberships');
    await scenarios.add('failing-payments');
    await scenarios.add('stranger');
    await operator.create('users', { email: 'gus@example.com' });
    const $ = parsePage(await (await service.request('/sign-in')).text());
    const emails = $('form[action="/sandbox/sign-in"] > .people button')
      .toArray()
      .map((button) => $(button).attr('value'));
    expect(emails).toEqual(Object.values(users).map(({ email }) => email));
    const groups = $('.people-groups details')
      .toArray()
      .map((group) => `${$(group).find('summary').text()}: ${$(group).find('button').first().attr('value')}`);
    expect(groups).toEqual([
      'Memberships that end (7): mia@example.com',
      'Payments that fail (5): petra@example.com',
      'Another seller (3): sam@example.com',
      'Other people (1): gus@example.com',
    ]);
  });

  it('without people of their own show the newest people, in one list', async ({ service }) => {
    const { operator } = service.server;
    await begin(service, 'empty');
    for (let number = 1; number < 10; number += 1) {
      service.clock.advance(1000);
      await operator.create('users', { email: `${number}@example.com` });
    }
    const $ = parsePage(await (await service.request('/sign-in')).text());
    const emails = $('form[action="/sandbox/sign-in"] button')
      .toArray()
      .map((button) => $(button).attr('value'));
    expect(emails).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((number) => `${number}@example.com`));
    expect($('main details')).toHaveLength(0);
  });
});
