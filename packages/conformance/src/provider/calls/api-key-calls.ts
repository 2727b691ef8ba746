import type { Permission } from '@latchkey/contract/constants';
import { type Answer, requireFixture } from '../session/answer.js';
import type { Session } from '../session/session.js';

/** Fields of a request body. `undefined` leaves out a field. */
export type Fields = Readonly<Record<string, unknown>>;

/** Authentication of a request: the fixtures' key, another one, or none. */
export interface KeyOption {
  /** `null` sends no Authorization header. @default keys.full */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An id that no record has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-00000000dead';

export function fullKey({ fixtures }: Session): string {
  return requireFixture(fixtures.keys.full, 'keys.full');
}

export function keyWithout({ fixtures }: Session, permission: Permission): string {
  return requireFixture(fixtures.keys.without[permission], `keys.without.${permission}`);
}

export function mainCommunity({ fixtures }: Session) {
  return requireFixture(fixtures.communities.main, 'communities.main');
}

export async function getWithKey(
  session: Session,
  path: string,
  { key, headers }: KeyOption = {},
): Promise<Answer> {
  return await session.send({ path, headers: { ...authorization(session, key), ...headers } });
}

export async function postWithKey(
  session: Session,
  path: string,
  { body, key, headers }: KeyOption & { body: Fields },
): Promise<Answer> {
  return await session.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...authorization(session, key), ...headers },
    body: JSON.stringify(body),
  });
}

function authorization(session: Session, key: string | null | undefined): Record<string, string> {
  return key === null ? {} : { authorization: `Bearer ${key ?? fullKey(session)}` };
}

/** POST /membership/provision-external with a new order of a new buyer, and changes. */
export async function provision(
  session: Session,
  changes: Fields = {},
  option: KeyOption = {},
): Promise<Answer> {
  const body = {
    communityId: mainCommunity(session).id,
    externalOrderId: session.newId(),
    email: session.newEmail(),
    ...changes,
  };
  return await postWithKey(session, session.paths.provisionExternal, { body, ...option });
}

/** POST /api/checkout/buy-plan of a new buyer, with changes. */
export async function buyPlan(
  session: Session,
  changes: Fields = {},
  option: KeyOption = {},
): Promise<Answer> {
  const { id, planId } = mainCommunity(session);
  const body = {
    communityId: id,
    pricingPlanId: planId,
    externalId: session.newId(),
    email: session.newEmail(),
    successUrl: 'https://shop.example/paid',
    cancelUrl: 'https://shop.example/cancelled',
    ...changes,
  };
  return await postWithKey(session, session.paths.buyPlan, { body, ...option });
}

/** POST /api/drop-notification/signup of a new address, with changes. */
export async function signUp(
  session: Session,
  changes: Fields = {},
  option: KeyOption = {},
): Promise<Answer> {
  const body = { communityId: mainCommunity(session).id, email: session.newEmail(), ...changes };
  return await postWithKey(session, session.paths.dropSignup, { body, ...option });
}

/** GET /membership/check-messenger/… */
export async function checkMessenger(
  session: Session,
  { communityId, account = 1 }: { communityId?: string; account?: number | string },
  option: KeyOption = {},
): Promise<Answer> {
  const community = communityId ?? mainCommunity(session).id;
  const path = session.paths.checkMessenger
    .replace('{communityId}', community)
    .replace(`{${session.messengerField}}`, String(account));
  return await getWithKey(session, path, option);
}

/** GET /membership/join-messenger-community-external/{externalId} */
export async function inviteLink(
  session: Session,
  externalId: string,
  option: KeyOption = {},
): Promise<Answer> {
  const path = session.paths.inviteLink.replace('{externalId}', encodeURIComponent(externalId));
  return await getWithKey(session, path, option);
}
