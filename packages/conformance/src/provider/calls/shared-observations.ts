import { DAY_MS } from '@latchkey/contract/constants';
import {
  type Answer,
  Missing,
  requireFixture,
  requireSuccess,
  requireText,
  valueAt,
} from '../session/answer.js';
import * as expect from '../session/expect.js';
import { once, type Session } from '../session/session.js';
import {
  buyPlan,
  checkMessenger,
  getWithKey,
  inviteLink,
  missingPermissions,
  missingRoles,
  provision,
  signUp,
} from './api-key-calls.js';
import {
  authorize,
  authorizeBare,
  type ClientKind,
  getResource,
  itemsOf,
  newPair,
  type Pair,
  pairOf,
  postTokenForm,
  redeem,
  refresh,
  SCOPES,
  UNKNOWN_CLIENT,
} from './oauth-calls.js';

/** Redeems a code of the fixtures' member with a form. */
export const redeemed = once(async (session, kind: ClientKind) => {
  const authorization = await authorize(session, { kind });
  return { authorization, answer: await redeem(session, authorization) };
});

/** Returns a token pair of the fixtures' member that no check refreshes or revokes. */
export async function memberPair(session: Session, kind: ClientKind = 'public'): Promise<Pair> {
  return pairOf(kind, (await redeemed(session, kind)).answer);
}

export const narrowPair = once((session, scope: 'memberships.read' | 'products.read') =>
  newPair(session, { changes: { scope } }),
);

export const refreshed = once(async (session) => {
  const before = await newPair(session);
  return { before, answer: await refresh(session, before) };
});

export const resource = once(async (session, name: 'userinfo' | 'memberships' | 'products') => {
  const token = session.fixtures.app.accessToken ?? (await memberPair(session)).access;
  return await getResource(session, session.paths[name], token);
});

export const withUnknownToken = once((session, name: 'userinfo' | 'memberships' | 'products') =>
  getResource(session, session.paths[name], 'unknown-access-token-of-the-conformance-checks'),
);

/** Sends a refresh from a client that doesn't exist. */
export const madeUpToken = once((session) => {
  const fields = { grant_type: 'refresh_token', client_id: UNKNOWN_CLIENT, refresh_token: 'made-up-token' };
  return postTokenForm(session, fields, { isMadeUp: true });
});

export const bareAuthorization = once((session) => authorizeBare(session, 'public'));

export const madeUpAuthorization = once((session) =>
  authorizeBare(session, {
    clientId: UNKNOWN_CLIENT,
    redirectUri: session.fixtures.clients.public?.redirectUri ?? 'https://conformance.example/callback',
  }),
);

export const withoutToken = once((session, name: 'userinfo' | 'memberships' | 'products') =>
  getResource(session, session.paths[name]),
);

export const sellerProducts = once(async (session) => {
  const email = requireFixture(session.fixtures.users.seller, 'users.seller');
  const pair = await newPair(session, { email, changes: { scope: SCOPES } });
  return { pair, answer: await getResource(session, session.paths.products, pair.access) };
});

export async function membershipsOf(session: Session, email: string): Promise<readonly unknown[]> {
  const pair = await newPair(session, { email });
  return itemsOf(await getResource(session, session.paths.memberships, pair.access), 'memberships');
}

/** Provisions a new membership for 30 days, with a different start in the request. */
export const created = once(async (session) => {
  const buyer = { email: session.newEmail(), [session.messengerField]: session.newMessengerUserId() };
  const order = session.newId();
  const requestedAt = await nowAtService(session);
  const validUntil = new Date(requestedAt + 30 * DAY_MS).toISOString();
  const answer = await provision(session, {
    ...buyer,
    externalOrderId: order,
    validFrom: '2020-01-01T00:00:00Z',
    validUntil,
  });
  return { answer, buyer, order, validUntil, requestedAt };
});

/** Sends the same order again, with other periods: the first repeat would extend the membership, the second would shorten it. */
export const repeated = once(async (session) => {
  const { buyer, order } = await created(session);
  const repeat = { ...buyer, externalOrderId: order };
  const later = { validUntil: await inDays(session, 60) };
  const shorter = {
    validFrom: await inDays(session, -3),
    validUntil: await inDays(session, 4),
    onOverlap: 'replace',
  };
  return [
    await provision(session, { ...repeat, ...later }),
    await provision(session, { ...repeat, ...shorter }),
  ] as const;
});

/** Pays the open checkout, and asks for its invite link twice. */
export const paidCheckout = once(async (session) => {
  const { externalId, email, answer } = await openCheckout(session);
  const checkoutUrl = requireText(answer, 'data', 'checkoutUrl');
  await session.drive('pay', { checkoutUrl, result: 'paid' });
  const first = await inviteLink(session, externalId);
  return { externalId, email, first, second: await inviteLink(session, externalId) };
});

/** Opens a checkout without a payment, and asks for its invite link. */
export const openCheckout = once(async (session) => {
  const email = session.newEmail();
  const externalId = session.newId();
  const answer = await buyPlan(session, { externalId, email });
  return { externalId, email, answer, before: await inviteLink(session, externalId) };
});

/** Expects a signup to show that an email address has an account. */
export async function expectAccount(session: Session, email: string, whose: string): Promise<void> {
  const signup = requireSuccess(await signUp(session, { email }));
  expect.equal(valueAt(signup, 'data', 'hasExistingAccount'), true, `hasExistingAccount of ${whose}`);
}

export const signedUp = once(async (session) => {
  const email = session.newEmail();
  return { email, answer: await signUp(session, { email }) };
});

/** Sends GET requests with keys that the service must reject. Only three, even in a read-only run. */
export const rejectedKeys = once(async (session) => {
  const path = session.paths.inviteLink.replace('{externalId}', session.newId());
  const { apiKeyPrefix } = session.fixtures.serviceNames;
  return {
    missing: await getWithKey(session, path, { key: null }),
    malformed: await getWithKey(session, path, { key: 'not-a-key' }),
    unknown: await getWithKey(session, path, { key: `${apiKeyPrefix}${'0'.repeat(43)}` }),
  };
});

export const malformedPath = once((session) => checkMessenger(session, { communityId: 'not-a-uuid' }));

export const unknownReservation = once((session) => inviteLink(session, `unknown-${session.newId()}`));

export const unknownClient = once((session) =>
  session.send({ path: session.paths.clientIdentity.replace('{clientId}', UNKNOWN_CLIENT) }),
);

/** Reads the identity of a client that exists: any of the fixtures'. */
export const clientIdentity = once(async (session): Promise<Answer> => {
  const { app, clients } = session.fixtures;
  const client = clients.public ?? clients.confidential ?? clients.described ?? clients.plain;
  const clientId = requireFixture(app.clientId ?? client?.clientId, 'clients.public');
  return await session.send({ path: session.paths.clientIdentity.replace('{clientId}', clientId) });
});

/** Checks the fixtures' messenger account with an app's key and community. */
export const checkMember = once((session): Promise<Answer> => {
  const { app, keys, communities } = session.fixtures;
  const key = requireFixture(app.apiKey ?? keys.full, 'keys.full');
  const communityId = requireFixture(app.communityId ?? communities.main?.id, 'communities.main');
  return checkMessenger(session, { communityId, account: app.messengerUserId ?? 1 }, { key });
});

/** Sends bodies that provision-external must reject, by the rule. Validation comes before any effect. */
export const invalidProvision = once((session, changes: Readonly<Record<string, unknown>>) =>
  provision(session, changes),
);

/** Statuses of rejections. Other rules are about other statuses. */
const REJECTION_STATUSES = [400, 401, 403];

/** Returns all rejections that a run in this mode can observe. */
export async function rejections(session: Session): Promise<readonly Answer[]> {
  const keys = await rejectedKeys(session);
  const found = [keys.missing, keys.malformed, keys.unknown];
  if (session.fixtures.keys.full !== undefined) found.push(await malformedPath(session));
  found.push(...(await missingPermissions(session)), ...(await missingRoles(session)));
  if (canWrite(session)) found.push(await invalidProvision(session, { communityId: 'not-a-uuid' }));
  return found.filter(({ status }) => REJECTION_STATUSES.includes(status));
}

export const signedUpTwice = once(async (session) => {
  const { email, answer } = await signedUp(session);
  requireSuccess(answer);
  return await signUp(session, { email });
});

/** Returns failures of endpoints, which are envelopes. Other rules are about successes in their place. */
export async function endpointFailures(session: Session): Promise<readonly Answer[]> {
  const found = [await unknownClient(session)];
  if (session.fixtures.keys.full !== undefined) found.push(await unknownReservation(session));
  if (canWrite(session)) {
    found.push((await overlapError(session)).answer);
    found.push(...(await duplicateSignups(session)));
  }
  return found.filter(isFailure);
}

/** Returns failures for which the specification has an `errorCode`. */
export async function failuresWithNamedCode(session: Session): Promise<readonly Answer[]> {
  const found = [await unknownClient(session)];
  if (canWrite(session)) found.push(...(await duplicateSignups(session)));
  return found.filter(isFailure);
}

/** Returns the second signup if the first one succeeds: a community without a drop rejects both. */
async function duplicateSignups(session: Session): Promise<readonly Answer[]> {
  return isFailure((await signedUp(session)).answer) ? [] : [await signedUpTwice(session)];
}

function canWrite({ isDestructive, fixtures: { keys, communities } }: Session): boolean {
  return isDestructive && keys.full !== undefined && communities.main !== undefined;
}

function isFailure({ status }: Answer): boolean {
  return status >= 400;
}

/** Provisions with onOverlap=error over an active membership, and reads what two endpoints then know about it. */
export const overlapError = once(async (session) => {
  const { buyer, order, account, answer: before } = await windowBuyer(session, 'error');
  const validUntil = await inDays(session, 3);
  const answer = await provision(session, { ...buyer, validUntil, onOverlap: 'error' });
  const checked = await checkMessenger(session, { account });
  return { before, answer, checked, after: await provision(session, { ...buyer, externalOrderId: order }) };
});

/** Returns a new buyer with an active membership for 30 days. */
export const windowBuyer = once(async (session, _name: string) => {
  const account = session.newMessengerUserId();
  const buyer = { email: session.newEmail(), [session.messengerField]: account };
  const order = session.newId();
  const validUntil = await inDays(session, 30);
  const answer = await provision(session, { ...buyer, externalOrderId: order, validUntil });
  return { buyer, order, account, validUntil, answer };
});

/** Returns a buyer with an expired membership: an active one is replaced with a period in the past. */
export const expiredBuyer = once(async (session, name: string) => {
  const { buyer } = await windowBuyer(session, `expired ${name}`);
  const order = session.newId();
  const answer = await provision(session, {
    ...buyer,
    externalOrderId: order,
    validFrom: '2020-01-01T00:00:00Z',
    validUntil: '2021-01-01T00:00:00Z',
    onOverlap: 'replace',
  });
  return { buyer, order, answer };
});

/** Returns a buyer with a membership that begins in a week: an active one is replaced with a period in the future. */
export const upcomingBuyer = once(async (session) => {
  const { buyer, account } = await windowBuyer(session, 'upcoming');
  const validFrom = await inDays(session, 7);
  const validUntil = await inDays(session, 14);
  const answer = await provision(session, { ...buyer, validFrom, validUntil, onOverlap: 'replace' });
  const isUpcoming = Date.parse(requireText(answer, 'data', 'validFrom')) > (await nowAtService(session));
  if (!isUpcoming) throw new Missing('precondition: the service does not store a start in the future');
  return { buyer, account };
});

export async function inDays(session: Session, days: number): Promise<string> {
  return new Date((await nowAtService(session)) + days * DAY_MS).toISOString();
}

/** How far two clocks may differ because of the time that a request takes, in milliseconds. */
const JITTER_MS = 5_000;

/**
 * Returns the service's time, in milliseconds since the epoch. A moved clock shows in the `timestamp` of rejections.
 * Without that field, assumes that the service's clock agrees with this machine's.
 */
export async function nowAtService(session: Session): Promise<number> {
  const { missing } = await rejectedKeys(session);
  const ahead = Date.parse(String(valueAt(missing, 'timestamp'))) - missing.at;
  return Date.now() + (Math.abs(ahead) > JITTER_MS ? ahead : 0);
}
