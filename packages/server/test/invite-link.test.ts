import { ENDPOINTS, envelopeFailureSchemas } from '@latchkey/contract';
import { sandboxScenario } from '@latchkey/sandbox';
import { describe, expect } from 'vitest';
import type { InviteLinkOrder, JoinRequestHandler, MessengerBot } from '../src/index.js';
import { type ApiKeyResponse, callWithKey, keyWith } from './api-key-requests.js';
import { it } from './checkout-world.js';
import { fuzzEndpoint } from './malformed-requests.js';
import { buy, linkOf, requestInviteLink } from './messenger-world.js';
import { START, startService } from './service-under-test.js';
import { removeSandboxMark } from './service-with-database.js';

const { users, community, messengerBot } = sandboxScenario;
const DAY = 24 * 3600_000;
const failure = envelopeFailureSchemas(['not_found', 'unauthorized']).strict;

/** Asserts that a response matches the strict failure schema, and returns status, errorCode and message. */
function failureOf({ status, body }: ApiKeyResponse) {
  const { errorCode, message } = failure.parse(body);
  return { failure: `${status} ${errorCode}`, message };
}

describe('invite link', () => {
  it('is created at each call for a paid checkout and expires after 24 hours', {
    tags: [
      'invite-link.after-payment',
      'invite-link.result-link',
      'invite-link.result-expires-at',
      'invite-link.lifetime',
      'invite-link.external-id',
    ],
  }, async ({ service, db }) => {
    await buy(service, db);
    const first = linkOf(await requestInviteLink(service));
    service.clock.advance(3600_000);
    const second = linkOf(await requestInviteLink(service));
    expect(first.expiresAt).toBe('2026-06-13T14:05:00.000Z');
    expect(second.expiresAt).toBe('2026-06-13T15:05:00.000Z');
    expect(second.link).not.toBe(first.link);
    for (const { link } of [first, second]) {
      expect(link).toMatch(new RegExp(`^${service.baseUrl}/sandbox/messenger/[A-Za-z0-9_-]{43}$`));
    }
  });

  it('leaves the reservation unchanged and is stored as a hash only', {
    tags: ['invite-link.leaves-reservation'],
  }, async ({ service, db }) => {
    await buy(service, db);
    const reservations = () => db.selectFrom('checkout_reservations').selectAll().execute();
    const before = await reservations();
    const { link } = linkOf(await requestInviteLink(service));
    expect(await reservations()).toEqual(before);
    const [invite] = await db.selectFrom('messenger_invites').selectAll().execute();
    expect(invite).toMatchObject({ community_id: community.id, expires_at: START + DAY });
    expect(JSON.stringify(invite)).not.toContain(link.split('/').at(-1));
  });

  it('is 404 for an externalId unknown to buy-plan, also for an order id of provisioning', {
    tags: [
      'invite-link.unknown-external-id',
      'invite-link.external-id',
      'api-key.status-not-found',
      'envelope.endpoint-failure',
    ],
  }, async ({ service, db }) => {
    await buy(service, db);
    const order = { communityId: community.id, externalOrderId: 'order-1001', email: 'grace@example.com' };
    await callWithKey(service, { path: '/membership/provision-external', json: order });
    for (const externalId of ['order-1001', 'buyer-8', 'BUYER-7', 'buyer-7 ', '%']) {
      expect(failureOf(await requestInviteLink(service, externalId)).failure).toBe('404 not_found');
    }
  });

  it('is 404 before payment, with the message that the membership has not been processed yet', {
    tags: ['invite-link.before-payment', 'invite-link.leaves-reservation'],
  }, async ({ service, db }) => {
    await buy(service, db, { isPaid: false });
    const { failure, message } = failureOf(await requestInviteLink(service));
    expect(failure).toBe('404 not_found');
    expect(message).toContain('has not been processed yet');
  });

  it('is 401 unauthorized when the buyer is no longer a member: the only 401 with an errorCode', {
    tags: ['invite-link.not-a-member'],
  }, async ({ service, db }) => {
    const buyerId = await buy(service, db);
    const grant = { userId: buyerId, productType: 'community' as const, communityId: community.id };
    await service.server.operator.grantMembership({ ...grant, validFrom: START, validUntil: START + DAY });
    linkOf(await requestInviteLink(service));
    service.clock.advance(DAY);
    const { failure, message } = failureOf(await requestInviteLink(service));
    expect(failure).toBe('401 unauthorized');
    expect(message).toContain('not a member of the community');
  });

  it('is 200 without success when the community has no bot, after all other checks', {
    tags: ['invite-link.no-bot'],
  }, async ({ service, db }) => {
    await service.server.operator.change('communities', community.id, { messengerBot: null });
    await buy(service, db);
    await buy(service, db, { externalId: 'unpaid', isPaid: false });
    const answer = await requestInviteLink(service);
    expect(answer.status).toBe(200);
    expect(ENDPOINTS.inviteLink.success.body.strict.parse(answer.body)).toEqual({
      success: false,
      data: null,
      message: expect.stringContaining('bot of this community is not set up'),
    });
    expect(failureOf(await requestInviteLink(service, 'unpaid')).failure).toBe('404 not_found');
    await db.updateTable('memberships').set({ valid_until: START }).execute();
    expect(failureOf(await requestInviteLink(service)).failure).toBe('401 unauthorized');
  });

  it('requires MEMBERSHIP_WRITE, but no role in the community', {
    tags: [
      'api-key.invite-link-permission',
      'invite-link.not-community-scoped',
      'api-key.missing-permission',
    ],
  }, async ({ service, db }) => {
    await buy(service, db);
    const stranger = await keyWith(service, ['MEMBERSHIP_WRITE'], users.ben.id);
    linkOf(await requestInviteLink(service, 'buyer-7', stranger));
    const weak = await keyWith(service, ['MEMBERSHIP_READ', 'CHECKOUT_WRITE', 'DROP_NOTIFICATION_WRITE']);
    expect((await requestInviteLink(service, 'buyer-7', weak)).status).toBe(403);
    expect(await requestInviteLink(service, 'buyer-7', `svc_${'unknown'.repeat(6)}0`)).toMatchObject({
      status: 401,
      body: { success: false, statusCode: 401 },
    });
  });

  it('cannot be created without end by a stranger, whose calls leave the sellers theirs', async ({
    service,
    db,
  }) => {
    await buy(service, db);
    const stranger = await keyWith(service, ['MEMBERSHIP_WRITE'], users.ben.id);
    const answers = await Promise.all(
      Array.from({ length: 110 }, () => requestInviteLink(service, 'buyer-7', stranger)),
    );
    expect(answers.filter(({ body }) => (body as { success: boolean }).success)).toHaveLength(100);
    const refused = await requestInviteLink(service, 'buyer-7', stranger);
    expect(ENDPOINTS.inviteLink.success.body.strict.parse(refused.body)).toEqual({
      success: false,
      data: null,
      message: expect.stringContaining('Try again after'),
    });
    expect(await db.selectFrom('messenger_invites').select('id').execute()).toHaveLength(100);
    linkOf(await requestInviteLink(service));
  });

  it('accepts any externalId that buy-plan accepts, percent-encoded, and rejects others with 400', {
    tags: ['invite-link.external-id', 'api-key.status-validation'],
  }, async ({ service, db }) => {
    const externalIds = ['a/b?c#d%2f', 'ключ 7', '😀', '..', 'x'.repeat(255)];
    for (const [index, externalId] of externalIds.entries()) {
      await buy(service, db, { externalId, email: `buyer-${index}@example.com` });
      linkOf(await requestInviteLink(service, externalId));
    }
    const path = (segment: string) => `/membership/join-messenger-community-external/${segment}`;
    for (const segment of ['%00', 'a%00b', '%ED%A0%80', '%zz', '%', 'x'.repeat(256)]) {
      expect(await callWithKey(service, { path: path(segment) }), segment).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining('externalId') },
      });
    }
    for (const other of ['', 'buyer-7/', 'buyer-7/x']) {
      expect((await callWithKey(service, { path: path(other) })).status).toBe(404);
    }
  });

  it('never returns a 5xx for a malformed request', {
    tags: ['rejection.before-endpoint'],
    timeout: 60_000,
  }, async ({ service }) => {
    const statuses = await fuzzEndpoint(service, {
      endpoint: 'inviteLink',
      valid: { externalId: 'buyer-7' },
      runs: 250,
    });
    expect(statuses.get(400)).toBeGreaterThan(50);
  });
});

describe('several checkouts with one externalId', () => {
  /** Returns the owner of the link: the buyer of the newest stored invite. */
  async function buyerOf(db: Parameters<typeof buy>[1]): Promise<string | undefined> {
    const invite = await db
      .selectFrom('messenger_invites')
      .innerJoin('community_emails as link', 'link.user_id', 'messenger_invites.user_id')
      .select('link.email')
      .orderBy('messenger_invites.created_at', 'desc')
      .executeTakeFirst();
    return invite?.email ?? undefined;
  }

  it('use the caller’s own one, even if another caller’s was paid later', {
    tags: ['invite-link.not-community-scoped'],
  }, async ({ service, db }) => {
    await buy(service, db, { email: 'mine@example.com' });
    service.clock.advance(1000);
    await buy(service, db, { email: 'theirs@example.com', callerId: users.ben.id });
    linkOf(await requestInviteLink(service));
    expect(await buyerOf(db)).toBe('mine@example.com');
  });

  it('use the caller’s own one, even if only another caller’s is paid', {
    tags: ['invite-link.before-payment'],
  }, async ({ service, db }) => {
    await buy(service, db, { email: 'mine@example.com', isPaid: false });
    await buy(service, db, { email: 'theirs@example.com', callerId: users.ben.id });
    expect(failureOf(await requestInviteLink(service)).message).toContain('has not been processed yet');
  });

  it('use the caller’s own paid one while a further purchase is open', async ({ service, db }) => {
    await buy(service, db);
    await buy(service, db, { isPaid: false });
    linkOf(await requestInviteLink(service));
  });

  it('use the newest paid one for a caller without a checkout', async ({ service, db }) => {
    await buy(service, db, { email: 'first@example.com' });
    service.clock.advance(1000);
    await buy(service, db, { email: 'second@example.com', callerId: users.ben.id });
    await buy(service, db, { email: 'open@example.com', callerId: users.cleo.id, isPaid: false });
    const stranger = await keyWith(service, ['MEMBERSHIP_WRITE'], users.ada.id);
    linkOf(await requestInviteLink(service, 'buyer-7', stranger));
    expect(await buyerOf(db)).toBe('second@example.com');
  });
});

describe('service outside of the sandbox', () => {
  const outside = { sandbox: false, mailer: { send: async () => undefined }, backgroundWork: false };

  it('reports that the bot is not set up while it has no messenger, whatever bot the community names', {
    tags: ['invite-link.no-bot'],
  }, async ({ database, db, service: seeded, onTestFinished }) => {
    await buy(seeded, db);
    await removeSandboxMark(db);
    const service = await startService({ ...outside, database });
    onTestFinished(() => service.server.close());
    expect((await requestInviteLink(service)).body).toMatchObject({ success: false, data: null });
  });

  it('creates links with its bot, and lets the bot decide on join requests', {
    tags: ['invite-link.after-payment', 'invite-link.bound-to-account'],
  }, async ({ database, db, service: seeded, onTestFinished }) => {
    await buy(seeded, db, { email: users.ben.email });
    const orders: InviteLinkOrder[] = [];
    let report: JoinRequestHandler | undefined;
    const bot: MessengerBot = {
      async mintInviteLink(order) {
        orders.push(order);
        return `https://messenger.example/+${orders.length}`;
      },
      onJoinRequest(handler) {
        report = handler;
      },
    };
    await removeSandboxMark(db);
    const service = await startService({ ...outside, database, messengerBot: bot });
    onTestFinished(() => service.server.close());
    const { link } = linkOf(await requestInviteLink(service));
    expect(link).toBe('https://messenger.example/+1');
    expect(orders).toEqual([
      {
        botName: messengerBot,
        communityId: community.id,
        communityName: community.name,
        expiresAt: START + DAY,
      },
    ]);
    const { messengerUserId } = users.ben;
    expect(await report?.({ link, messengerUserId })).toMatchObject({ kind: 'accepted' });
    expect(await report?.({ link, messengerUserId: 1001 })).toMatchObject({ kind: 'rejected' });
    expect(await report?.({ link: `${link}1`, messengerUserId })).toMatchObject({ kind: 'rejected' });
  });

  it('creates the link of a buyer whose claim is merged meanwhile', async ({
    database,
    db,
    service: seeded,
    onTestFinished,
  }) => {
    const email = 'grace@example.com';
    await buy(seeded, db, { email });
    const bot: MessengerBot = {
      async mintInviteLink() {
        await seeded.server.operator.createUser({ email });
        return 'https://messenger.example/+1';
      },
      onJoinRequest: () => undefined,
    };
    await removeSandboxMark(db);
    const service = await startService({ ...outside, database, messengerBot: bot });
    onTestFinished(() => service.server.close());
    linkOf(await requestInviteLink(service));
    const { id } = await service.server.operator.findUser(email);
    expect(await db.selectFrom('messenger_invites').select('user_id').execute()).toEqual([{ user_id: id }]);
  });

  it('returns 500 and stores nothing when its bot fails', {
    tags: ['api-key.status-server-failure'],
  }, async ({ database, db, service: seeded, onTestFinished }) => {
    await buy(seeded, db);
    const bot: MessengerBot = {
      mintInviteLink: () => Promise.reject(new Error('the messenger is down')),
      onJoinRequest: () => undefined,
    };
    await removeSandboxMark(db);
    const service = await startService({ ...outside, database, messengerBot: bot });
    onTestFinished(() => service.server.close());
    expect(await requestInviteLink(service)).toMatchObject({
      status: 500,
      body: { success: false, errorCode: 'internal_server_error' },
    });
    expect(await db.selectFrom('messenger_invites').selectAll().execute()).toEqual([]);
  });
});
