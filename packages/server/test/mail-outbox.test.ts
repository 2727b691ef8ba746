import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { MailMessage } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { signedIn } from './authorization-flow.js';
import { type Browser, locationOf } from './browser.js';
import { it, METHODS, openCheckout, pay, payFor } from './checkout-world.js';
import { formOf, parsePage, textOf } from './pages/page-document.js';
import { COMMUNITY, sellerOf } from './seller-area.js';
import { type ServiceUnderTest, START } from './service-under-test.js';

const { plans, products } = sandboxScenario;
const DAY = 24 * 3600_000;
const HOUR = 3600_000;
const BEN = 'ben@example.com';

async function runAt(service: ServiceUnderTest, instant: number): Promise<void> {
  service.clock.set(instant);
  await service.server.runBackgroundWork();
}

/** Mails to an address, oldest first. */
function mailsTo(service: ServiceUnderTest, email: string): MailMessage[] {
  return [...(service.server.mailbox?.list(email) ?? [])].reverse();
}

async function outbox(db: Database) {
  return await db.selectFrom('mail_outbox').selectAll().orderBy('created_at').execute();
}

describe('receipt', () => {
  it('is sent once per payment, with amount, plan, access and next payment', async ({ service, db }) => {
    await payFor(service);
    expect(await outbox(db)).toMatchObject([{ kind: 'receipt', status: 'pending', recipient: BEN }]);
    await service.server.runBackgroundWork();
    await service.server.runBackgroundWork();
    const { id = '' } = (await db.selectFrom('payments').select('id').executeTakeFirst()) ?? {};
    const [mail, ...others] = mailsTo(service, BEN);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ subject: 'Your receipt from Latchkey: €9.00', senderName: 'Latchkey' });
    expect(mail?.text).toContain('This was sold by a seller, not by Latchkey.');
    expect(mail?.text).toContain(
      [
        'Seller: Ember & Oak Coffee Club',
        'Plan: Monthly',
        'Paid on: 12 Jun 2026, 14:05 UTC',
        'Access: Until 12 Jul 2026, 14:05 UTC',
      ].join('\n'),
    );
    expect(mail?.text).toContain(`Next payment: €9.00 on 12 Jul 2026\nPayment ID: ${id}`);
    expect(mail?.text).toContain(`${service.baseUrl}/account`);
    expect(mail?.html).toContain('€9.00');

    await runAt(service, START + 30 * DAY - HOUR);
    expect(mailsTo(service, BEN)[1]?.text).toContain('Next payment: €9.00 on 11 Aug 2026');
  });

  it('is announced on the page after the payment, before and after it is sent', async ({ service }) => {
    const browser = service.browser();
    const path = await openCheckout(service);
    await pay(browser, path);
    const announced = async () => textOf(parsePage(await (await browser.get(`${path}?paid`)).text()), 'main');
    expect(await announced()).toContain('We’ve mailed a receipt to b•••@example.com');
    await service.server.runBackgroundWork();
    expect(await announced()).toContain('We’ve mailed a receipt to b•••@example.com');
  });

  it('of concurrent payments of one order is one', async ({ service, db }) => {
    const path = await openCheckout(service);
    const browsers = [1, 2, 3, 4].map(() => service.browser());
    await Promise.all(browsers.map((browser) => pay(browser, path)));
    await service.server.runBackgroundWork();
    expect(await outbox(db)).toHaveLength(1);
    expect(mailsTo(service, BEN)).toHaveLength(1);
  });

  it('of a declined payment is not sent', async ({ service, db }) => {
    await pay(service.browser(), await openCheckout(service), METHODS.declined);
    expect(await outbox(db)).toEqual([]);
  });

  it('of a free order is not sent', async ({ service, db }) => {
    await db
      .updateTable('pricing_plans')
      .set({ price_minor: 0 })
      .where('id', '=', plans.monthly.id)
      .execute();
    const ben = await signedIn(service, BEN);
    await pay(ben, await openCheckout(service));
    expect(await db.selectFrom('payments').select('amount_minor').execute()).toEqual([{ amount_minor: 0 }]);
    expect(await outbox(db)).toEqual([]);
  });

  it('is not stored if the payment is not', async ({ service, db }) => {
    const path = await openCheckout(service);
    await db.schema.alterTable('mail_outbox').renameTo('mail_outbox_away').execute();
    expect((await pay(service.browser(), path)).status).toBe(500);
    expect(await db.selectFrom('payments').selectAll().execute()).toEqual([]);
    await db.schema
      .alterTable('mail_outbox_away' as 'mail_outbox')
      .renameTo('mail_outbox')
      .execute();
    expect((await pay(service.browser(), path)).status).toBe(303);
    expect(await outbox(db)).toHaveLength(1);
  });

  it('does not repeat names that would use the trust in the service', async ({ service, db }) => {
    await db.updateTable('communities').set({ name: 'Call +1 800 555 0199 to cancel' }).execute();
    await db.updateTable('pricing_plans').set({ name: '$999 refund at evil.example' }).execute();
    await payFor(service);
    await service.server.runBackgroundWork();
    const mail = mailsTo(service, BEN)[0];
    expect(mail?.subject).toBe('Your receipt from Latchkey: €9.00');
    expect(mail?.senderName).toBe('Latchkey');
    // Whole words: the mail's random ids could contain "0199".
    expect(JSON.stringify(mail)).not.toMatch(/555 0199|evil\.example|refund/);
  });

  it.for(['Latchkey', 'L\u0430tchkey', 'L A T C H K E Y Security'])(
    'does not come from a seller that is called like the service: %s',
    async (name, { service, db }) => {
      const accent = '#aa0000';
      await db
        .updateTable('communities')
        .set({ name, accent, logo_url: 'https://spy.example/1.png' })
        .execute();
      await db
        .updateTable('pricing_plans')
        .set({ name: `${name} verification` })
        .execute();
      await payFor(service);
      await service.server.runBackgroundWork();
      const mail = mailsTo(service, BEN)[0];
      expect(mail?.subject).toBe('Your receipt from Latchkey: €9.00');
      expect(mail?.senderName).toBe('Latchkey');
      expect(mail?.text).not.toContain('verification');
      expect(mail?.html).not.toMatch(/spy\.example|#aa0000/);
    },
  );

  it('is sent ten times a day at most to one mailbox for one community, whoever pays', async ({
    service,
    db,
  }) => {
    for (let order = 0; order < 12; order += 1) {
      await payFor(service, { externalId: `order-${order}`, email: `victim+${order}@example.com` });
    }
    expect(await outbox(db)).toHaveLength(10);
    service.clock.advance(DAY);
    await payFor(service, { externalId: 'order-next', email: 'victim@example.com' });
    expect(await outbox(db)).toHaveLength(11);
  });

  it('of another community is sent, too: thirty a day to one mailbox in all', async ({ service, db }) => {
    const owner = { ownerId: sandboxScenario.users.dana.id };
    for (let club = 0; club < 4; club += 1) {
      const { id: communityId } = await service.server.operator.createCommunity({
        name: `Club ${club}`,
        ...owner,
      });
      const plan = { communityId, name: 'Tea', priceMinor: 100, periodDays: 7 };
      const { id: pricingPlanId } = await service.server.operator.createPricingPlan(plan);
      for (let order = 0; order < 11; order += 1) {
        const externalId = `order-${club}-${order}`;
        await payFor(service, {
          communityId,
          pricingPlanId,
          externalId,
          email: `victim+${order}@example.com`,
        });
      }
    }
    expect(await outbox(db)).toHaveLength(30);
  });
});

describe('failed renewal', () => {
  it('is announced once, with its reason, the end of the access and the way to pay', async ({
    service,
    db,
  }) => {
    await payFor(service, {}, METHODS.failsLater);
    await runAt(service, START + 30 * DAY - HOUR);
    await service.server.runBackgroundWork();
    // Mails that are due together are sent at once, in any order.
    expect(mailsTo(service, BEN)).toHaveLength(2);
    const mail = mailsTo(service, BEN).find(({ subject }) => subject === 'Latchkey: your payment failed');
    expect(mail?.text).toContain('Your card was declined. Nothing was charged');
    expect(mail?.text).toContain('Access: Until 12 Jul 2026, 14:05 UTC');
    expect(mail?.text).toContain(`${service.baseUrl}/communities/${sandboxScenario.community.id}`);
    expect((await outbox(db)).map(({ kind, status }) => [kind, status])).toEqual([
      ['receipt', 'sent'],
      ['renewal-failed', 'sent'],
    ]);
  });

  it('that is noticed late says that the access has ended', async ({ service }) => {
    await payFor(service, {}, METHODS.failsLater);
    // Mails that are due together are sent at once, in any order.
    await service.server.runBackgroundWork();
    await runAt(service, START + 31 * DAY);
    expect(mailsTo(service, BEN)[1]?.text).toContain('Access: Ended on 12 Jul 2026, 14:05 UTC');
  });
});

describe('the language of a queued mail', () => {
  const choose = (browser: Browser, language: string) => browser.post('/language', { language });

  it('is the one that its reader last used: at the sign-in, and then in the menu', async ({ service }) => {
    const browser = service.browser();
    const own = { origin: service.baseUrl, 'sec-fetch-site': 'same-origin', 'accept-language': 'de-AT' };
    await browser.post('/sign-in/code', { email: BEN }, own);
    const code = service.server.mailbox?.latestFor(BEN)?.code ?? '';
    expect(locationOf(await browser.post('/sign-in/verify', { code }, own))).toBe('/account');
    await payFor(service);
    await service.server.runBackgroundWork();
    const receipt = mailsTo(service, BEN).at(-1);
    expect(receipt?.subject).toBe('Ihre Quittung von Latchkey: 9,00\u00a0€');
    expect(receipt?.text).toContain(
      '\nBezahlt am: 12. Juni 2026, 14:05 UTC\nZugang: Bis 12. Juli 2026, 14:05 UTC\n',
    );
    expect(receipt?.html).toContain('<html lang="de" dir="ltr">');

    await choose(browser, 'ar');
    await service.server.operator.deleteUser({ email: BEN });
    await service.server.runBackgroundWork();
    const deleted = mailsTo(service, BEN).at(-1);
    expect(deleted?.subject).toBe('حُذف حسابك');
    expect(deleted?.html).toContain('<html lang="ar" dir="rtl">');
  });

  it('stays if the reader signs in on a page in English only', async ({ service, db }) => {
    await db.updateTable('users').set({ language: 'pt' }).where('email', '=', BEN).execute();
    await signedIn(service, BEN);
    await payFor(service);
    expect(await outbox(db)).toMatchObject([{ language: 'pt' }]);
  });

  it('is that of the page where a guest first pays, also when no page causes it', async ({ service, db }) => {
    for (const [language, externalId] of [
      ['ja', 'order-1'],
      ['fr', 'order-2'],
    ] as const) {
      const guest = service.browser();
      await choose(guest, language);
      await payFor(service, { email: 'guest@example.com', externalId }, METHODS.failsLater, guest);
    }
    await runAt(service, START + 60 * DAY - HOUR);
    expect((await outbox(db)).map(({ kind, language }) => [kind, language])).toEqual([
      ...[
        ['receipt', 'ja'],
        ['receipt', 'ja'],
        ['renewal-failed', 'ja'],
      ],
    ]);
    const failed = mailsTo(service, 'guest@example.com').at(-1);
    expect(failed?.subject).toBe('Latchkey: お支払いができませんでした');
  });

  it('of an invitation is that of the invited person, else that of the seller', async ({ service, db }) => {
    await db.updateTable('users').set({ language: 'es' }).where('email', '=', BEN).execute();
    const dana = await sellerOf(service);
    await dana.post('/language', { language: 'ja' });
    for (const email of [BEN, 'new@example.com'])
      await dana.submit(`${COMMUNITY}/roles`, { email, role: 'ADMIN' });
    await service.server.runBackgroundWork();
    const [ben, stranger] = [BEN, 'new@example.com'].map((email) => mailsTo(service, email).at(-1)?.subject);
    expect([ben, stranger]).toEqual([
      'Latchkey: invitación a una comunidad',
      'Latchkey: コミュニティへの招待',
    ]);
  });
});

describe('outbox', () => {
  it('contains no recipient and no facts of a sent mail, and forgets it after a week', async ({
    service,
    db,
  }) => {
    await payFor(service);
    await service.server.runBackgroundWork();
    expect(await outbox(db)).toMatchObject([{ status: 'sent', attempts: 1, recipient: '', facts: '{}' }]);
    await runAt(service, START + 7 * DAY - 1);
    expect(await outbox(db)).toHaveLength(1);
    await runAt(service, START + 7 * DAY);
    expect(await outbox(db)).toHaveLength(0);
  });

  it('does not contain sign-in codes', async ({ service, db }) => {
    await service.browser().post('/sign-in/code', { email: BEN });
    expect(await outbox(db)).toEqual([]);
    expect(mailsTo(service, BEN)).toHaveLength(1);
  });

  it('of a product names its seller', async ({ service, db }) => {
    const { id, name } = products.brewGuide;
    const ben = await signedIn(service, BEN);
    const page = `/products/${id}`;
    const { hidden } = formOf(parsePage(await (await ben.get(page)).text()), `${page}/buy`);
    const bought = await ben.post(`${page}/buy`, Object.fromEntries(hidden));
    await pay(ben, new URL(locationOf(bought), service.baseUrl).pathname);
    await service.server.runBackgroundWork();
    expect(await outbox(db)).toMatchObject([{ kind: 'receipt', status: 'sent' }]);
    const mail = mailsTo(service, BEN).at(-1);
    expect(mail?.subject).toBe('Your receipt from Latchkey: €19.00');
    expect(mail?.text).toContain(`Seller: Dana Owner\nProduct: ${name}`);
    expect(mail?.text).toContain('Access: Lifetime\nNext payment: None');
  });
});
