import { randomUUID } from 'node:crypto';
import { sandboxScenario } from '@latchkey/sandbox';
import type { Router } from 'express';
import { describe, expect } from 'vitest';
import { apiKeyRoutes } from '../src/api/api-key/api-key-routes.js';
import { oauthRoutes } from '../src/api/oauth/oauth-routes.js';
import { pageRoutes } from '../src/app/page-routes.js';
import { AUDIT_ACTIONS, type AuditAction } from '../src/features/audit/audit.js';
import { createOptOutLink } from '../src/features/invitations/invitation-opt-out.js';
import { RECORD_WRITES } from '../src/features/operator/record-calls.js';
import type { RecordInput } from '../src/features/operator/records.js';
import { createTotpSecret, totpCode } from '../src/features/two-step/authenticator-app.js';
import type { Operator } from '../src/index.js';
import type { Database } from '../src/platform/database/open-database.js';
import * as flow from './authorization-flow.js';
import type { Browser, FormFields } from './browser.js';
import { locationOf } from './browser.js';
import { openCheckout, pay } from './checkout-world.js';
import { signUp } from './drop-signup-requests.js';
import { linkOf, requestInviteLink } from './messenger-world.js';
import { postProvision } from './provision-requests.js';
import { CONFIDENTIAL, SECRET, type ServiceUnderTest } from './service-under-test.js';
import { itWithDatabase } from './service-with-database.js';
import { MINUTE, readSetup, recoveryCodesOn } from './two-step-world.js';

// Replacing the data leaves the log as it is, so each test has a log of its own.
const it = itWithDatabase.extend({ isAlone: true });

const { users, community, plans, memberships, products, webhooks } = sandboxScenario;
const { dana, ada, ben } = users;

/** Routes without an entry, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'POST /sign-in/code': 'Only sends a code. The sign-in with the code is recorded.',
  'POST /account/email': 'Only sends a code. The change with the code is recorded.',
  'POST /sign-in/account': 'Puts one of the browser’s sessions first. The database does not change.',
  'POST /language': 'Sets a cookie. The database does not change.',
  'POST /account/two-step/set-up': 'Changes nothing until the code of the app confirms it.',
};

/** A GET that stores something: the specification has it so. */
const INVITE_LINK = String.raw`GET /^\/membership\/join-messenger-community-external\/[^/]+$/`;

/** Part of every name and address that is typed here. */
const MARK = 'zimt';

/** Every route that can change state, from the routers themselves, so no new one is missed. */
async function changingRoutes(): Promise<string[]> {
  const needs = {
    ...{ baseUrl: 'http://localhost', serviceNames: {}, site: {} },
    ...{ signInLimits: {}, signInChoices: {}, apiReference: {} },
    // The routes are listed, not called.
  } as never;
  const routers = [await pageRoutes(needs), apiKeyRoutes(needs), oauthRoutes(needs)];
  const all = routers.flatMap((router) => routesIn(router));
  return all.filter((route) => !route.startsWith('GET ') || route === INVITE_LINK);
}

function routesIn(router: Router): string[] {
  return router.stack.flatMap(({ route, handle }) => {
    if (route === undefined) return 'stack' in handle ? routesIn(handle as unknown as Router) : [];
    const methods = route.stack.map(({ method }) => method).filter((method) => method !== undefined);
    return [...new Set(methods)].map((method) => `${method.toUpperCase()} ${route.path}`);
  });
}

const entriesOf = (db: Database) => db.selectFrom('audit_entries').selectAll().orderBy('id').execute();

/** Checks what each change records, and remembers which routes and actions it saw. */
function recorder(db: Database) {
  const seen = { routes: new Set<string>(), actions: new Set<string>() };
  /** @param actor kind and id, as in `user 5eed…`. */
  const record = async <Result>(
    route: string,
    [action, actor]: readonly [AuditAction, string],
    change: () => Promise<Result>,
  ) => {
    const before = new Set((await entriesOf(db)).map(({ id }) => id));
    const result = await change();
    const status = result instanceof Response ? result.status : 200;
    const added = (await entriesOf(db)).filter(({ id }) => !before.has(id));
    const shown = added.map((entry) => `${entry.action} by ${entry.actor_kind} ${entry.actor_id}`);
    expect([route, status < 400, shown]).toEqual([
      route,
      true,
      expect.arrayContaining([`${action} by ${actor}`]),
    ]);
    seen.routes.add(route);
    for (const entry of added) seen.actions.add(entry.action);
    return { result, subjectId: added.find((entry) => entry.action === action)?.subject_id ?? '' };
  };
  const expectEntry = async <Result>(...step: Parameters<typeof record<Result>>) =>
    (await record(...step)).result;
  return { seen, record, expectEntry };
}

interface World extends Omit<ReturnType<typeof recorder>, 'seen'> {
  service: ServiceUnderTest;
  db: Database;
}

/**
 * Signs a user in. `send` sends a form to a route, with values for the parameters of its path, and returns the id of the subject in the
 * log.
 */
async function person({ service, record }: World, { id, email }: { id: string; email: string }) {
  const browser = await flow.signedIn(service, email);
  const form = { account: id, submission: randomUUID() };
  const send = async (
    route: string,
    action: AuditAction,
    fields: FormFields = {},
    path: Readonly<Record<string, string>> = {},
  ) => {
    const values: Record<string, string> = { communityId: community.id, ...path };
    const address = route.replace(/:(\w+)/g, (_, name: string) => values[name] ?? expect.fail(route));
    const sent = { ...form, submission: randomUUID(), ...fields };
    const send = () => browser.post(address, sent);
    return (await record(`POST ${route}`, [action, `user ${id}`], send)).subjectId;
  };
  return { browser, send };
}

async function sellerForms(world: World): Promise<void> {
  const { service, db } = world;
  const { send } = await person(world, dana);
  const at = '/seller/communities/:communityId';
  const communityId = await send('/seller/communities', 'community.create', { name: `${MARK} club` });
  await send(`${at}/close`, 'community.close', { confirmation: `${MARK} club` }, { communityId });
  await send(`${at}/name`, 'community.change', { name: `${MARK} & Oak` });
  await send(`${at}/bot`, 'community.change', { botName: `${MARK}_bot` });
  const logoUrl = `https://${MARK}.example/logo.png`;
  await send(`${at}/brand`, 'community.change', { logoUrl, accentChoice: 'own', accent: '#7A1FA2' });
  const email = `${MARK}@example.com`;
  await send(`${at}/roles`, 'invitation.create', { email, role: 'ADMIN' });
  await service.server.operator.assignRole({ communityId: community.id, userId: ben.id, role: 'ADMIN' });
  await send(`${at}/roles/change`, 'role.assign', { userId: ben.id, change: 'deactivate' });
  await send(`${at}/roles/change`, 'role.end', { userId: ben.id, change: 'remove' });
  const plan = { name: MARK, price: '90', currency: 'EUR', periodDays: '365', provider: 'card' };
  const planId = await send(`${at}/plans`, 'plan.create', plan);
  await send(`${at}/plans/:planId`, 'plan.change', { name: `${MARK} plan`, price: '95' }, { planId });
  await send(`${at}/plans/:planId/archive`, 'plan.change', { archive: 'yes' }, { planId });
  const drop = { name: MARK, slots: '', startsAt: '2027-01-01', endsAt: '2027-02-01' };
  const dropId = await send(`${at}/drops`, 'drop.create', drop);
  await send(`${at}/drops/:dropId`, 'drop.change', { ...drop, name: `${MARK} drop` }, { dropId });
  await send(`${at}/drops/:dropId/end`, 'drop.end', {}, { dropId });
  const member = { email: `member-${MARK}@example.com`, validFrom: '', validUntil: '' };
  await send(`${at}/members`, 'invitation.create', member);
  const invitation = (
    await db.selectFrom('invitations').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  ).id;
  await send(`${at}/invitations/withdraw`, 'invitation.withdraw', { invitation, section: 'roles' });
  const membershipId = memberships.adaCommunity.id;
  const ofMember = `${at}/members/:membershipId`;
  await send(`${ofMember}/end`, 'membership.change', { endsAt: '2030-01-01' }, { membershipId });
  await send(`${ofMember}/end-now`, 'membership.end', {}, { membershipId });
  const product = { name: MARK, slug: MARK, type: '', price: '5', currency: 'EUR', description: MARK };
  const productId = await send('/seller/products', 'product.create', product);
  await send('/seller/products/:productId', 'product.change', { ...product, price: '6' }, { productId });
  await send('/seller/products/:productId/delete', 'product.delete', {}, { productId });
}

async function developerForms(world: World): Promise<void> {
  const { service, db } = world;
  const { send } = await person(world, dana);
  const at = '/developer';
  const key = { name: MARK, permissions: 'MEMBERSHIP_READ' };
  await send(`${at}/api-keys`, 'key.create', key);
  const keys = db.selectFrom('api_keys').select('id').where('name', '=', MARK);
  await send(`${at}/api-keys/:id/revoke`, 'key.revoke', {}, await keys.executeTakeFirstOrThrow());
  const settings = {
    ...{ name: `${MARK} app`, description: MARK, type: 'public', scopes: 'memberships.read' },
    ...{ redirectUris: `https://${MARK}.example/callback`, widgetOrigins: '', logoUrl: '', accent: '' },
  };
  const clientId = await send(`${at}/clients`, 'client.create', settings);
  const client = `${at}/clients/:clientId`;
  await send(client, 'client.change', { ...settings, name: `${MARK} shop` }, { clientId });
  await send(`${client}/type/confidential`, 'client.change', {}, { clientId });
  await send(`${client}/secret`, 'client.replace-secret', {}, { clientId });
  await send(`${client}/type/public`, 'client.change', {}, { clientId });
  await send(`${client}/delete`, 'client.delete', { confirmation: `${MARK} shop` }, { clientId });
  const url = `http://localhost:4999/${MARK}`;
  await send(`${at}/webhooks`, 'webhook.create', { subject: `community:${community.id}`, url });
  const hook = await db.selectFrom('webhooks').select('id').where('url', '=', url).executeTakeFirstOrThrow();
  await send(`${at}/webhooks/:id`, 'webhook.change', { url, rotateSecret: 'yes' }, hook);
  await send(`${at}/webhooks/:id/secret`, 'webhook.reveal-secret', {}, hook);
  await send(`${at}/webhooks/:id/switch-off`, 'webhook.change', {}, hook);
  await send(`${at}/webhooks/:id/resume`, 'webhook.change', {}, hook);
  await send(`${at}/webhooks/:id/delete`, 'webhook.delete', {}, hook);
  const granted = { userId: users.cleo.id, communityId: community.id, productType: 'community' } as const;
  await service.server.operator.grantMembership(granted);
  const deliveries = db.selectFrom('webhook_deliveries').select('id').limit(1);
  const delivery = await deliveries.executeTakeFirstOrThrow();
  await send(`${at}/webhooks/deliveries/:id/redeliver`, 'delivery.resend', {}, delivery);
}

async function accountForms(world: World): Promise<void> {
  const { service, db, expectEntry } = world;
  const { operator } = service.server;
  const member = await person(world, ada);
  await member.send('/account/profile', 'user.change', { name: `Ada ${MARK}` });
  await flow.allow(member.browser, flow.confidentialRequest());
  await member.send('/account/apps/revoke', 'consent.revoke', { clientId: CONFIDENTIAL });
  const owner = await person(world, dana);
  const roles = '/seller/communities/:communityId/roles';
  for (const answer of ['decline', 'accept'] as const) {
    const offered =
      answer === 'accept'
        ? { email: ada.email, role: 'ADMIN' }
        : { email: ada.email, validFrom: '', validUntil: '' };
    const form = answer === 'accept' ? roles : '/seller/communities/:communityId/members';
    await owner.send(form, 'invitation.create', offered);
    const open = db.selectFrom('invitations').select('id').where('email', '=', ada.email);
    const { id: invitation } = await open.where('declined_at', 'is', null).executeTakeFirstOrThrow();
    await member.send(`/account/invitations/${answer}`, `invitation.${answer}`, { invitation });
  }
  await member.send('/account/roles/:communityId/resign', 'role.end');
  await service.browser().post('/sandbox/sign-in', { email: ada.email });
  const sessions = await (await member.browser.get('/account/sessions')).text();
  const session = /name="session" value="([^"]+)"/.exec(sessions)?.[1] ?? '';
  await member.send('/account/sessions/sign-out', 'session.end', { session });
  await member.send('/account/sessions/end', 'user.end-sessions', { which: 'others' });

  const newEmail = `${MARK}@new.example`;
  await member.browser.post('/account/email', { account: ada.id, email: newEmail });
  const code = service.server.mailbox?.latestFor(newEmail)?.code ?? '';
  await member.send('/account/email/confirm', 'user.change', { code });
  const undoKey = () =>
    /email-change\/undo\?key=([\w-]+)/.exec(service.server.mailbox?.latestFor(ada.email)?.text ?? '')?.[1];
  await service.server.runBackgroundWork();
  const undo = () => service.browser().post(`/email-change/undo?key=${undoKey()}`, {});
  await expectEntry('POST /email-change/undo', ['user.change', 'visitor null'], undo);

  const path = await openCheckout(service, { email: ben.email });
  const buyer = await person(world, ben);
  // Whoever has the address of a checkout can pay it, signed in or not.
  const paid = ['payment.create', `user ${ben.id}`] as const;
  await expectEntry('POST /checkout/:kind/:secret/pay', paid, () => pay(buyer.browser, path));
  const bought = db.selectFrom('memberships').select('id').where('user_id', '=', ben.id);
  const membership = await bought.where('community_id', '=', community.id).executeTakeFirstOrThrow();
  const ofMember = '/seller/communities/:communityId/members/:membershipId/cancel-subscription';
  const { id: membershipId } = membership;
  await owner.send(ofMember, 'membership.cancel-renewal', {}, { membershipId });
  await pay(buyer.browser, await openCheckout(service, { email: ben.email, externalId: 'order-8' }));
  await buyer.send('/account/memberships/:id/cancel', 'membership.cancel-renewal', {}, membership);
  await buyer.send('/account/memberships/:id/leave', 'membership.end', {}, membership);
  await buyer.send('/communities/:id/buy', 'checkout.open', { plan: plans.monthly.id }, community);
  await buyer.send('/products/:id/buy', 'checkout.open', {}, { id: products.brewGuide.id });
  const order = await buyer.browser.post(`/products/${products.brewGuide.id}/buy`, {
    ...{ account: ben.id, submission: randomUUID() },
  });
  await pay(buyer.browser, locationOf(order));
  for (const [subject, path] of [
    ['community_id', '/seller/communities/:communityId'],
    ['product_id', '/seller/products/:productId'],
  ] as const) {
    const payments = db.selectFrom('payments').select('id').where('user_id', '=', ben.id);
    const { id: paymentId } = await payments
      .where(subject, 'is not', null)
      .limit(1)
      .executeTakeFirstOrThrow();
    const values = { paymentId, productId: products.brewGuide.id };
    await owner.send(`${path}/sales/:paymentId/refund`, 'payment.request-refund', { amount: '1.00' }, values);
  }
  await operator.change('users', ben.id, { mayProvision: true });
  await buyer.send('/account/export', 'user.export');
  await buyer.send('/account/delete', 'user.delete', { email: ben.email });
}

/** Appoints, changes and removes an operator on the pages of the operator area. */
async function operatorForms(world: World): Promise<void> {
  const { service, db } = world;
  const { finn, eve } = users;
  await service.server.operator.create('operators', { userId: finn.id, role: 'ADMIN' });
  const secret = await createTotpSecret();
  const app = { user_id: finn.id, secret, last_step: 0, created_at: service.clock.now() };
  await db.insertInto('second_factors').values(app).execute();
  const { send } = await person(world, finn);
  const at = '/operator/:kind';
  for (const [route, action, fields] of [
    [`${at}/new`, 'operator.appoint', { userId: eve.id, role: 'VIEWER' }],
    [`${at}/:id/change`, 'operator.change', { role: 'ADMIN' }],
    [`${at}/:id/end`, 'operator.remove', {}],
  ] as const) {
    service.clock.advance(MINUTE);
    const code = await totpCode(secret, service.clock.now());
    await send(route, action, { ...fields, code }, { kind: 'operators', id: eve.id });
  }
}

/** Signs somebody up with a code, with two-step sign-in on and off, and out. */
async function signInForms({ service, db, expectEntry }: World): Promise<string[]> {
  const email = `person-${MARK}@example.com`;
  const [browser, opener] = [service.browser(), service.browser()];
  const enterCode = async (from: Browser) => {
    await from.post('/sign-in/code', { email });
    return await from.post('/sign-in/verify', { code: service.server.mailbox?.latestFor(email)?.code ?? '' });
  };
  await enterCode(opener);
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const actor = `user ${id}`;
  const verify = 'POST /sign-in/verify';
  await expectEntry(verify, ['session.start', actor], () => enterCode(browser));
  const send = async (from: Browser, path: string, action: AuditAction, fields: FormFields) =>
    await expectEntry(`POST ${path}`, [action, actor], () => from.post(path, { account: id, ...fields }));
  const at = '/account/two-step';
  await browser.post(`${at}/set-up`, { account: id });
  const { secret } = await readSetup(browser);
  const codeNow = async () => {
    service.clock.advance(MINUTE);
    return await totpCode(secret, service.clock.now());
  };
  const turnedOn = await send(browser, `${at}/confirm`, 'two-step.turn-on', { code: await codeNow() });
  const recovery = await recoveryCodesOn(turnedOn);
  const other = service.browser();
  await enterCode(other);
  const second = { code: recovery[0] ?? '', with: 'recovery-code', continue: '/account' };
  await send(other, '/sign-in/second-step', 'session.start', second);
  const renewed = await send(browser, `${at}/recovery-codes`, 'two-step.renew-recovery-codes', {
    code: await codeNow(),
  });
  await send(browser, `${at}/turn-off`, 'two-step.turn-off', { code: await codeNow() });
  await send(browser, '/sign-out', 'session.end', {});
  return [secret, ...recovery, ...(await recoveryCodesOn(renewed))];
}

/** Returns the secrets that the programs were given. */
async function programs({ service, db, expectEntry }: World, routes: readonly string[]): Promise<string[]> {
  const key = await db
    .selectFrom('api_keys')
    .select('id')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirstOrThrow();
  const byKey = `api-key ${key.id}`;
  const [provisionRoute, signUpRoute, buyRoute] = ['provision-external', 'drop-notification', 'buy-plan'].map(
    (name) => routes.find((route) => route.includes(name)) ?? '',
  );
  const email = `api-${MARK}@example.com`;
  const provision = () => postProvision(service, { email, messengerUserId: 987_654_321 });
  await expectEntry(provisionRoute ?? '', ['membership.create', byKey], provision);
  const signup = { email: `drop-${MARK}@example.com`, phoneNumber: '+4915112345678' };
  await expectEntry(signUpRoute ?? '', ['signup.create', byKey], () => signUp(service, signup));
  const checkout = { email: `buyer-${MARK}@example.com`, pricingPlanId: plans.lifetime.id };
  const open = () => openCheckout(service, { ...checkout, externalId: `buyer-${MARK}` });
  const path = await expectEntry(buyRoute ?? '', ['checkout.open', byKey], open);
  await pay(service.browser(), path, 'transfer-arrives');
  const invite = () => requestInviteLink(service, `buyer-${MARK}`);
  const { link } = linkOf(await expectEntry(INVITE_LINK, ['invite.create', byKey], invite));
  const messengerUserId = '987654322';
  const { pathname } = new URL(link);
  const join = () => service.browser().post(pathname, { messengerUserId });
  await expectEntry('a join request', ['invite.join', 'visitor null'], join);

  const browser = await flow.signedIn(service, ada.email);
  const byAda = ['consent.grant', `user ${ada.id}`] as const;
  const allow = () => flow.allow(browser, flow.confidentialRequest());
  const code = await expectEntry('POST /oauth/consent', byAda, allow);
  const redeem = () => flow.postToken(service, flow.confidentialRedemption(code));
  const byClient = `client ${CONFIDENTIAL}`;
  const answer = await expectEntry('POST /oauth/token', ['grant.redeem', byClient], redeem);
  const tokens = (await answer.json()) as flow.TokenPairBody;
  const form = { client_id: CONFIDENTIAL, client_secret: SECRET };
  for (const [token, action] of [
    [tokens.access_token, 'token.revoke'],
    [tokens.refresh_token, 'grant.revoke'],
  ] as const) {
    await expectEntry('POST /oauth/revoke', [action, byClient], () =>
      flow.revoke(service, { ...form, token }),
    );
  }
  const optOut = await createOptOutLink(db, email, service.clock.now());
  for (const [choice, action] of [
    ['stop', 'opt-out.set'],
    ['allow', 'opt-out.withdraw'],
  ] as const) {
    const choose = () => service.browser().post(`/mail/invitations?key=${optOut}`, { choice });
    await expectEntry('POST /mail/invitations', [action, 'visitor null'], choose);
  }
  return [link, pathname, path, code, optOut, tokens.access_token, tokens.refresh_token];
}

/** Every call of the operator, in an order in which each succeeds, with the action that it records. */
async function operatorCalls({ service, db, expectEntry }: World): Promise<void> {
  const { operator } = service.server;
  const [communityId, ownerId, productId] = [community.id, dana.id, products.brewGuide.id];
  const email = `operator-${MARK}@example.com`;
  const clientId = `oac_${'0'.repeat(24)}`;
  const permissions = ['MEMBERSHIP_READ'] as const;
  const app = { clientId, name: MARK, ownerId, scopes: [], redirectUris: [`https://${MARK}.example/`] };
  const plan = { communityId, name: MARK, priceMinor: 5, currency: 'EUR', periodDays: 5, renews: false };
  const drop = { communityId, name: MARK, slots: 5, startsAt: 5, endsAt: null };
  const secondFactor = { user_id: ada.id, secret: MARK, last_step: 0, created_at: 0 };
  await db.insertInto('second_factors').values(secondFactor).execute();
  const url = `http://localhost:4998/${MARK}`;
  const calls = {
    createUser: [
      'user.create',
      () => operator.createUser({ email, name: MARK, messengerUserId: 987_654_323 }),
    ],
    exportUser: ['user.export', () => operator.exportUser({ email })],
    deleteUser: ['user.delete', () => operator.deleteUser({ email })],
    createCommunity: ['community.create', () => operator.createCommunity({ name: MARK, ownerId })],
    assignRole: ['role.assign', () => operator.assignRole({ communityId, userId: ada.id, role: 'ADMIN' })],
    createProduct: ['product.create', () => operator.createProduct({ name: MARK, slug: MARK, ownerId })],
    createPricingPlan: ['plan.create', () => operator.createPricingPlan({ ...plan, provider: 'card' })],
    createDropSlot: ['drop.create', () => operator.createDropSlot(drop)],
    grantMembership: [
      'membership.create',
      () => operator.grantMembership({ userId: users.finn.id, communityId, productType: 'community' }),
    ],
    registerClient: [
      'client.create',
      () => operator.registerClient({ ...app, type: 'confidential', widgetOrigins: [] }),
    ],
    createApiKey: ['key.create', () => operator.createApiKey({ ownerId, name: MARK, permissions })],
    createWebhook: ['webhook.create', () => operator.createWebhook({ ownerId, communityId, url })],
  } as const satisfies Record<
    Exclude<keyof Operator, ReadingCall | RecordCall>,
    readonly [AuditAction, () => Promise<unknown>]
  >;
  const names = [...Object.keys(calls), ...READING_CALLS, ...RECORD_CALLS];
  expect(names.toSorted()).toEqual(Object.keys(operator).toSorted());
  for (const [name, [action, call]] of Object.entries(calls)) {
    await expectEntry<unknown>(name, [action, 'operator null'], call);
  }
  const changes = [
    ['two-step.turn-off', 'users', ada.id, { turnOffTwoStep: true }],
    ['provisioning.allow', 'users', ada.id, { mayProvision: true }],
    ['provisioning.withdraw', 'users', ada.id, { mayProvision: false }],
    ['community.change', 'communities', communityId, { accent: '#102030', messengerBot: `${MARK}_bot` }],
    ['product.hand-over', 'products', productId, { ownerId: ada.id }],
    ['client.replace-secret', 'clients', clientId, { replaceSecret: true }],
    ['client.verify', 'clients', clientId, { verified: true }],
    ['client.withdraw-verification', 'clients', clientId, { verified: false }],
    ['webhook.change', 'webhooks', webhooks.community.id, { rotateSecret: true }],
  ] as const;
  for (const [action, kind, id, change] of changes) {
    const call = () => operator.change(kind, id, change);
    await expectEntry<unknown>(`${kind}.change`, [action, 'operator null'], call);
  }
}

/** Calls of the operator that change nothing. */
const READING_CALLS = ['findUser', 'list', 'counts', 'find'] as const;
type ReadingCall = (typeof READING_CALLS)[number];

const RECORD_CALLS = ['create', 'change', 'end'] as const;
type RecordCall = (typeof RECORD_CALLS)[number];

/** Creates, changes and ends a record of each kind, as far as the operator can. */
async function recordCalls({ service, record }: World): Promise<void> {
  const { operator } = service.server;
  const email = (name: string) => `${name}-record-${MARK}@example.com`;
  const [communityId, ownerId, productType] = [community.id, dana.id, 'community'];
  const { id: userId } = await operator.createUser({ email: email('member') });
  const running = { startsAt: new Date(service.clock.now()).toISOString(), endsAt: null, slots: null };
  const redirectUris = [`https://${MARK}.example/`];
  const price = { priceMinor: 5, currency: 'EUR', periodDays: 5, renews: false, provider: 'card' };
  type Tour = Record<RecordCall, [action: AuditAction, input: RecordInput]>;
  const renamed = { name: `${MARK} renamed` };
  const tours: Record<keyof typeof RECORD_WRITES, Partial<Tour>> = {
    users: {
      create: ['user.create', { email: email('user'), name: MARK }],
      change: ['user.change', renamed],
      end: ['user.end-sessions', {}],
    },
    communities: {
      create: ['community.create', { name: MARK, ownerId }],
      change: ['community.change', renamed],
      end: ['community.close', {}],
    },
    memberships: {
      create: ['membership.create', { userId, productType, communityId }],
      change: ['membership.change', { validUntil: new Date(service.clock.now() + MINUTE).toISOString() }],
      end: ['membership.end', {}],
    },
    plans: {
      create: ['plan.create', { communityId, name: MARK, ...price }],
      change: ['plan.change', renamed],
      end: ['plan.change', {}],
    },
    roles: {
      create: ['role.assign', { communityId, userId, role: 'ADMIN' }],
      change: ['role.assign', { isActive: false }],
      end: ['role.end', {}],
    },
    invitations: {
      create: ['invitation.create', { communityId, email: email('invited') }],
      end: ['invitation.withdraw', {}],
    },
    drops: {
      create: ['drop.create', { communityId, name: MARK, ...running }],
      change: ['drop.change', renamed],
      end: ['drop.end', {}],
    },
    reservations: { create: ['checkout.open', { userId, pricingPlanId: plans.monthly.id }] },
    products: {
      create: ['product.create', { ownerId, name: MARK, slug: `${MARK}-record` }],
      change: ['product.change', renamed],
      end: ['product.delete', {}],
    },
    clients: {
      create: ['client.create', { ownerId, type: 'public', name: MARK, redirectUris, scopes: [] }],
      change: ['client.change', renamed],
      end: ['client.delete', {}],
    },
    keys: {
      create: ['key.create', { ownerId, name: MARK, permissions: ['MEMBERSHIP_READ'] }],
      end: ['key.revoke', {}],
    },
    webhooks: {
      create: ['webhook.create', { ownerId, communityId, url: `http://localhost:4997/${MARK}` }],
      change: ['webhook.change', { isActive: false }],
      end: ['webhook.delete', {}],
    },
    signups: { create: ['signup.create', { communityId, email: email('signup') }] },
    operators: {
      create: ['operator.appoint', { userId, role: 'VIEWER' }],
      change: ['operator.change', { role: 'ADMIN' }],
      end: ['operator.remove', {}],
    },
  };
  for (const [kind, writes] of Object.entries(RECORD_WRITES) as [keyof typeof tours, object][]) {
    let id = '';
    for (const call of Object.keys(writes) as RecordCall[]) {
      const [action, input] = tours[kind][call] ?? expect.fail(`${kind}.${call} has no example here.`);
      const write = async () => {
        if (call === 'create') ({ id } = await operator.create(kind, input));
        else if (call === 'change') await operator.change(kind, id, input);
        else await operator.end(kind, id);
      };
      await record(`${kind}.${call}`, [action, 'operator null'], write);
    }
  }
}

/** Columns of the log may contain ids, and nothing of what was typed, shown once, or is in the data about persons. */
async function expectImpersonal(db: Database, secrets: readonly string[]): Promise<void> {
  const log = JSON.stringify(await entriesOf(db));
  const people = await db.selectFrom('users').select(['email', 'name']).execute();
  const personal = people.flatMap(({ email, name }) => [email, name]).filter((text) => text !== null);
  const typed = [MARK, '@', '://', '98765432', '+49', sandboxScenario.apiKey, SECRET];
  for (const text of [...typed, ...personal, ...secrets]) expect(log).not.toContain(text);
  // Neither a hash nor a token: both are longer than every id.
  expect(/[\w-]{41,}/.exec(log)?.[0]).toBeUndefined();
}

describe('audit log', () => {
  it('has an entry for each route and each call of the operator that changes state, without personal data', async ({
    service,
    db,
  }) => {
    const { seen, ...recording } = recorder(db);
    const world = { service, db, ...recording };
    await sellerForms(world);
    await developerForms(world);
    const routes = await changingRoutes();
    const secrets = [...(await programs(world, routes)), ...(await signInForms(world))];
    await accountForms(world);
    await operatorForms(world);
    await operatorCalls(world);
    await recordCalls(world);
    const recorded = [...seen.routes].filter((route) => routes.includes(route));
    expect([...recorded, ...Object.keys(EXCEPTIONS)].toSorted()).toEqual(routes.toSorted());
    expect(routes.length).toBeGreaterThan(60);
    const actions = Object.values(AUDIT_ACTIONS).flat();
    // No request of a person causes these: `audit.test.ts` has them, and `hosted-payments.test.ts` the dispute.
    expect(actions.filter((action) => !seen.actions.has(action))).toEqual([
      ...['user.merge', 'webhook.pause', 'payment.dispute', 'data.replace', 'data.add'],
    ]);
    await expectImpersonal(db, secrets);
  });
});
