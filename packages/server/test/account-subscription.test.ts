import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { Database } from '../src/platform/database/open-database.js';
import { fillIn, hiddenFields } from './area-forms.js';
import { signedIn } from './authorization-flow.js';
import { locationOf } from './browser.js';
import { parsePage, textOf } from './pages/page-document.js';
import { START } from './service-under-test.js';
import { itWithDatabase as it, membershipEventsOf } from './service-with-database.js';

const { users, products, memberships } = sandboxScenario;
const DAY_MS = 24 * 3600_000;
const MEMBERSHIP = memberships.adaProduct.id;
const CANCEL = `/account/memberships/${MEMBERSHIP}/cancel`;

/** Makes Ada's membership renew by subscription. */
async function subscribe(db: Database): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ subscription_id: 'sub_1', valid_until: START + 30 * DAY_MS })
    .where('id', '=', MEMBERSHIP)
    .execute();
}

describe('cancellation of a subscription', () => {
  it('keeps the paid period, stops the renewal and notifies webhooks', async ({ service, db }) => {
    await subscribe(db);
    const ada = await signedIn(service);
    const before = parsePage(await (await ada.get('/account')).text());
    expect(textOf(before, `#memberships tr:has(a[href="${CANCEL}"])`)).toContain('Renews on 12 Jul 2026');
    const question = parsePage(await (await ada.get(CANCEL)).text());
    expect(textOf(question, 'main')).toContain(products.brewGuide.name);
    const known = (await membershipEventsOf(db, users.ada.id)).length;

    const cancelled = await fillIn(ada, { path: CANCEL }, {});
    const after = parsePage(await (await ada.get(locationOf(cancelled))).text());
    expect(textOf(after, '[role="status"]')).toContain('until the end of the period you paid for');
    expect(textOf(after, '#memberships')).toContain('Ends on 12 Jul 2026');
    expect(after(`a[href="${CANCEL}"]`)).toHaveLength(0);
    const events = (await membershipEventsOf(db, users.ada.id)).slice(known);
    expect(events.map(({ type }) => type)).toEqual(['membership.updated']);
  });

  it('changes nothing the second time', async ({ service, db }) => {
    await subscribe(db);
    const ada = await signedIn(service);
    const fields = await hiddenFields(ada, CANCEL, CANCEL);
    expect((await ada.post(CANCEL, fields)).status).toBe(303);
    const known = (await membershipEventsOf(db, users.ada.id)).length;
    expect((await ada.post(CANCEL, fields)).status).toBe(404);
    expect((await ada.get(CANCEL)).status).toBe(404);
    expect(await membershipEventsOf(db, users.ada.id)).toHaveLength(known);
  });

  it('rejects users who do not own the membership, and memberships that do not renew', async ({
    service,
    db,
  }) => {
    const ada = await signedIn(service);
    expect((await ada.get(CANCEL)).status).toBe(404);
    await subscribe(db);
    const ben = await signedIn(service, 'ben@example.com');
    const { account = '' } = await hiddenFields(ben, '/account/profile', '/account/profile');
    expect((await ben.get(CANCEL)).status).toBe(404);
    expect((await ben.post(CANCEL, { account })).status).toBe(404);
    expect((await ada.get(CANCEL)).status).toBe(200);
    expect((await ada.get('/account/memberships/no-id/cancel')).status).toBe(404);
  });
});
