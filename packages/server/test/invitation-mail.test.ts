import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { MailMessage } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import { hashSecret } from '../src/platform/secrets.js';
import { parsePage, textOf } from './pages/page-document.js';
import { answerInvitation, COMMUNITY, type Seller, sellerOf } from './seller-area.js';
import { type ServiceUnderTest, START } from './service-under-test.js';
import { itWithDatabase as it } from './service-with-database.js';

const { users, community } = sandboxScenario;
const MEMBERS = `${COMMUNITY}/members`;
const ROLES = `${COMMUNITY}/roles`;
const WITHDRAW = `${COMMUNITY}/invitations/withdraw`;
const GRACE = 'grace@example.com';
const DAY = 24 * 3600_000;

const grant = (email: string) => ({ email, validFrom: '', validUntil: '' });

/** Sends what is queued, and returns the mails to an address, oldest first. */
async function mailsTo({ server }: ServiceUnderTest, email: string): Promise<MailMessage[]> {
  await server.runBackgroundWork();
  return [...(server.mailbox?.list(email) ?? [])].reverse();
}

async function withdraw(seller: Seller, db: Database): Promise<void> {
  const { id } = await db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
  expect((await seller.post(WITHDRAW, { invitation: id, section: 'members' })).status).toBe(303);
}

/** Path of the opt-out link of a mail. */
function linkOf(service: ServiceUnderTest, mail: MailMessage | undefined): string {
  return mail?.unsubscribeUrl?.slice(service.baseUrl.length) ?? '/mail-without-link';
}

/** Returns the path of the members of a new community of the seller. */
async function foundCommunity(seller: Seller, name: string): Promise<string> {
  const response = await seller.post('/seller/communities', { name });
  return `${(response.headers.get('location') ?? '').split('?')[0]}/members`;
}

describe('invitation', () => {
  it('to a membership is mailed once, in the name of the service', async ({ service }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant(GRACE));
    await mailsTo(service, GRACE);
    const [mail, ...others] = await mailsTo(service, GRACE);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Latchkey: invitation to a community');
    expect(mail?.senderName).toBe('Latchkey');
    expect(mail?.text).toContain(`You are invited to become a member of “${community.name}” on Latchkey.`);
    expect(mail?.text).toContain('Membership: Lifetime');
    expect(mail?.text).toContain(`${service.baseUrl}/account`);
    expect(mail?.text).not.toContain('dana@example.com');
    expect(mail?.text).toContain(mail?.unsubscribeUrl);
  });

  it('to a role is mailed once', async ({ service }) => {
    const dana = await sellerOf(service);
    await dana.submit(ROLES, { email: GRACE, role: 'ADMIN' });
    const [mail] = await mailsTo(service, GRACE);
    expect(mail?.text).toContain('You are invited to help run');
    expect(mail?.text).toContain('Role: Administrator');
  });

  it('that is withdrawn or declined before is not mailed', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant(GRACE));
    await withdraw(dana, db);
    await dana.submit(MEMBERS, grant(users.ben.email));
    await answerInvitation(service, { email: users.ben.email, answer: 'decline' });
    const mails = [...(await mailsTo(service, GRACE)), ...(await mailsTo(service, users.ben.email))];
    expect(mails.filter(({ subject }) => subject.includes('invitation'))).toEqual([]);
    expect(await db.selectFrom('mail_outbox').select('status').execute()).toEqual([
      { status: 'dropped' },
      { status: 'dropped' },
    ]);
  });

  it.for(['Call +1 800 555 0199', 'evil.example', 'P\u0430ypal Support'])(
    'does not repeat a name that would use the trust in the service: %s',
    async (name, { service }) => {
      const ben = await sellerOf(service, users.ben.email);
      await ben.submit(await foundCommunity(ben, name), grant(GRACE));
      const [mail] = await mailsTo(service, GRACE);
      expect(mail?.subject).toBe('Latchkey: invitation to a community');
      expect(JSON.stringify(mail)).not.toContain(name);
    },
  );

  it('does not repeat the name of the service as that of a community', async ({ service, db }) => {
    await db.updateTable('communities').set({ name: 'Latchkey Security' }).execute();
    await (await sellerOf(service)).submit(MEMBERS, grant(GRACE));
    const [mail] = await mailsTo(service, GRACE);
    expect(mail?.subject).toBe('Latchkey: invitation to a community');
    expect(JSON.stringify(mail)).not.toContain('Latchkey Security');
  });

  it('shows no logo of the seller: opening it would tell the seller that the address exists', async ({
    service,
    db,
  }) => {
    await db.updateTable('communities').set({ logo_url: 'https://spy.example/1.png' }).execute();
    await (await sellerOf(service)).submit(MEMBERS, grant(GRACE));
    const [mail] = await mailsTo(service, GRACE);
    expect(mail?.html).not.toContain('spy.example');
  });

  it('gets the same pages and mails for addresses with and without an account', async ({ service, db }) => {
    await service.server.operator.createUser({ email: 'known@example.com', name: 'Kim Known' });
    const seen: string[] = [];
    for (const name of ['known', 'unknown']) {
      const dana = await sellerOf(service);
      const response = await dana.post(MEMBERS, grant(`${name}@example.com`));
      const list = await (await dana.get(response.headers.get('location') ?? '')).text();
      const [mail] = await mailsTo(service, `${name}@example.com`);
      const page = await service.browser().get(linkOf(service, mail));
      seen.push(
        JSON.stringify([response.status, list, mail?.subject, mail?.text, await page.text()])
          .replaceAll(`${name}@`, '@')
          .replaceAll(/[0-9a-f-]{36}|key=[\w-]+/g, 'id'),
      );
      await db.deleteFrom('invitations').execute();
    }
    expect(seen[0]).toBe(seen[1]);
  });
});

describe('seller who wants to flood a mailbox', () => {
  it('gets two mails to it by withdrawing and inviting again', async ({ service, db }) => {
    const dana = await sellerOf(service);
    for (let round = 0; round < 5; round += 1) {
      await dana.submit(MEMBERS, grant(GRACE));
      await service.server.runBackgroundWork();
      await withdraw(dana, db);
    }
    expect(await mailsTo(service, GRACE)).toHaveLength(2);
    service.clock.set(START + 29 * DAY);
    await dana.submit(MEMBERS, grant(GRACE));
    expect(await mailsTo(service, GRACE)).toHaveLength(2);
  });

  it('stops no seller of last week with any number of new accounts', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant('first@example.com'));
    await db.updateTable('sign_in_budgets').where('used', '=', 1).set({ used: 1_000 }).execute();
    await dana.submit(MEMBERS, grant('second@example.com'));
    expect(await mailsTo(service, 'second@example.com')).toEqual([]);
    // The sender's own budgets begin again. That of the new senders is used up by others.
    await db
      .deleteFrom('sign_in_budgets')
      .where('ends_at', '>', START + DAY / 24)
      .execute();
    await dana.submit(MEMBERS, grant('third@example.com'));
    expect(await mailsTo(service, 'third@example.com')).toEqual([]);
    await db
      .updateTable('users')
      .where('id', '=', users.dana.id)
      .set({ created_at: START - 8 * DAY })
      .execute();
    await dana.submit(MEMBERS, grant('fourth@example.com'));
    expect(await mailsTo(service, 'fourth@example.com')).toHaveLength(1);
  });

  it('gets two a day with many communities, and sees the same page for each', async ({ service }) => {
    const ben = await sellerOf(service, users.ben.email);
    const answers: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const members = await foundCommunity(ben, 'Tea Club');
      const page = await ben.submit(members, grant(GRACE));
      answers.push(
        page('main')
          .text()
          .replaceAll(/[0-9a-f-]{36}/g, 'id'),
      );
    }
    expect(await mailsTo(service, GRACE)).toHaveLength(2);
    expect(new Set(answers).size).toBe(1);
  });

  it('gets three a day together with others, tags in the address included', async ({ service }) => {
    for (const [index, { email }] of [users.ben, users.ada, users.eve, users.finn].entries()) {
      const seller = await sellerOf(service, email);
      await seller.submit(await foundCommunity(seller, 'Tea Club'), grant(`grace+${index}@example.com`));
    }
    await service.server.runBackgroundWork();
    const mails = service.server.mailbox?.list().filter(({ subject }) => subject.includes('invitation'));
    expect(mails).toHaveLength(3);
  });

  it('gets fifty a day to all addresses', async ({ service, db }) => {
    const dana = await sellerOf(service);
    for (let index = 0; index < 52; index += 1) await dana.post(MEMBERS, grant(`person${index}@example.com`));
    expect(await db.selectFrom('invitations').select('id').execute()).toHaveLength(52);
    expect(await db.selectFrom('mail_outbox').select('id').execute()).toHaveLength(50);
  });
});

describe('recipient who wants no invitations', () => {
  it('stops them without a sign-in, and can allow them again', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant(GRACE));
    const link = linkOf(service, (await mailsTo(service, GRACE))[0]);
    const browser = service.browser();
    const asked = parsePage(await (await browser.get(link)).text());
    expect(textOf(asked, 'h1')).toBe('Stop invitations by e-mail?');
    expect(asked('form').attr('action')).toBe(link);
    const stopped = parsePage(await (await browser.post(link, { choice: 'stop' })).text());
    expect(textOf(stopped, 'h1')).toBe('You receive no more invitations');
    expect(stopped('body').text()).not.toContain('grace');

    const ben = await sellerOf(service, users.ben.email);
    const members = await foundCommunity(ben, 'Tea Club');
    await ben.submit(members, grant('grace+tag@example.com'));
    await service.server.runBackgroundWork();
    expect(service.server.mailbox?.list('grace+tag@example.com')).toEqual([]);
    // The invitation itself counts, and waits on the account page.
    expect(await db.selectFrom('invitations').select('id').execute()).toHaveLength(2);

    await browser.post(link, { choice: 'allow' });
    await ben.submit(await foundCommunity(ben, 'Tea Club'), grant(GRACE));
    expect(await mailsTo(service, GRACE)).toHaveLength(2);
  });

  it('stops a mail that is queued already', async ({ service, db }) => {
    const dana = await sellerOf(service);
    await dana.submit(MEMBERS, grant(GRACE));
    const link = linkOf(service, (await mailsTo(service, GRACE))[0]);
    await dana.submit(ROLES, { email: GRACE, role: 'ADMIN' });
    await service.browser().post(link, {});
    expect(await mailsTo(service, GRACE)).toHaveLength(1);
    expect(await db.selectFrom('mail_outbox').select('status').orderBy('status').execute()).toEqual([
      { status: 'dropped' },
      { status: 'sent' },
    ]);
  });

  it('changes nothing by opening the link, as programs do that check links', async ({ service, db }) => {
    await (await sellerOf(service)).submit(MEMBERS, grant(GRACE));
    const link = linkOf(service, (await mailsTo(service, GRACE))[0]);
    await service.request(link);
    await service.request(link, { method: 'HEAD' });
    expect(await db.selectFrom('invitation_opt_outs').selectAll().execute()).toEqual([]);
  });

  it.for(['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'can use the button of the mail program, which sends %s without cookies (RFC 8058)',
    async (type, { service, db }) => {
      await (await sellerOf(service)).submit(MEMBERS, grant(GRACE));
      const link = linkOf(service, (await mailsTo(service, GRACE))[0]);
      const body = 'List-Unsubscribe=One-Click';
      const response = await service.request(link, {
        method: 'POST',
        headers: { 'content-type': type, origin: 'https://mail.example' },
        body,
      });
      expect(response.status).toBe(200);
      expect(await db.selectFrom('invitation_opt_outs').selectAll().execute()).toHaveLength(1);
    },
  );

  it('needs the link: other keys get 404 and change nothing', async ({ service, db }) => {
    await (await sellerOf(service)).submit(MEMBERS, grant(GRACE));
    const link = linkOf(service, (await mailsTo(service, GRACE))[0]);
    const stored = await db.selectFrom('opt_out_links').selectAll().execute();
    const hashes = stored.flatMap((row) => [row.secret_hash, row.mailbox_hash]);
    for (const key of ['', 'x', '%00', GRACE, hashSecret(GRACE), ...hashes, `${link.slice(-43)}x`]) {
      const path = `/mail/invitations?key=${encodeURIComponent(key)}`;
      expect((await service.request(path)).status).toBe(404);
      expect((await service.browser().post(path, { choice: 'stop' })).status).toBe(404);
    }
    expect(await db.selectFrom('invitation_opt_outs').selectAll().execute()).toEqual([]);
    expect(JSON.stringify(stored)).not.toContain(link.slice(-43));
    expect(JSON.stringify(stored)).not.toContain('grace');
    service.clock.set(START + 365 * DAY);
    expect((await service.request(link)).status).toBe(404);
  });
});
