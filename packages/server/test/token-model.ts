import type fc from 'fast-check';
import { expect } from 'vitest';
import {
  allow,
  authorizePath,
  callbackOf,
  callResource,
  confidentialRequest,
  postToken,
  publicRequest,
  signedIn,
  type TokenPairBody,
} from './authorization-flow.js';
import { redirectQuery } from './browser.js';
import {
  BACKEND_SHOP,
  CODE_CHALLENGE,
  CODE_VERIFIER,
  CONFIDENTIAL,
  PUBLIC,
  type ServiceUnderTest,
} from './service-under-test.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const PEOPLE = ['ada@example.com', 'ben@example.com'] as const;
const CLIENT_IDS = [PUBLIC, CONFIDENTIAL] as const;

/** Client of the model: the one that starts as public, or the one that starts as confidential. */
export type ClientIndex = 0 | 1;
export type TokenKind = 'access_token' | 'refresh_token';
export type Proof =
  | 'right'
  | 'wrong verifier'
  | 'no verifier'
  | 'wrong address'
  | 'bad secret'
  | 'other client';

interface Pair extends TokenPairBody {
  grant: Grant;
  accessUntil: number;
  refreshUntil: number;
  isAccessRevoked: boolean;
  isRefreshRotated: boolean;
  /** Latest response for its access token. */
  seen?: number;
}

/** Code with every pair that came from it. */
interface Grant {
  code: string;
  client: ClientIndex;
  person: ClientIndex;
  isChallenged: boolean;
  until: number;
  isRedeemed: boolean;
  pairs: Pair[];
}

/** Expected state of the service, written from its description, not from its code. */
export interface Model {
  grants: Grant[];
  pairs: Pair[];
  /** Secret of each client that is confidential now. */
  secrets: [string | undefined, string | undefined];
}

type Command = fc.AsyncCommand<Model, ServiceUnderTest>;
type Answer = { status: number; error?: string };

const INVALID_GRANT: Answer = { status: 400, error: 'invalid_grant' };
const INVALID_REQUEST: Answer = { status: 400, error: 'invalid_request' };
const INVALID_CLIENT: Answer = { status: 401, error: 'invalid_client' };

/** Command that ends with a check of every access token. */
export function command(name: string, needs: (model: Model) => boolean, act: Command['run']): Command {
  return {
    check: needs,
    toString: () => name,
    async run(model, service) {
      await act(model, service);
      await checkAccess(model, service);
    },
  };
}

/**
 * Checks every access token. Tokens that were seen as rejected are checked only at the end, when they must
 * still be rejected.
 */
export async function checkAccess(
  { pairs }: Model,
  service: ServiceUnderTest,
  isLast = false,
): Promise<void> {
  const now = service.clock.now();
  const looked = pairs.filter(({ seen }) => isLast || seen !== 401);
  const answers = looked.map(({ access_token }) => callResource(service, access_token));
  for (const [index, { status }] of (await Promise.all(answers)).entries())
    (looked[index] as Pair).seen = status;
  expect(looked.map(({ seen }) => seen)).toEqual(
    looked.map(({ isAccessRevoked, accessUntil }) => (!isAccessRevoked && now < accessUntil ? 200 : 401)),
  );
}

function credentialsOf({ secrets }: Model, client: ClientIndex): Record<string, string> {
  const secret = secrets[client];
  return { client_id: CLIENT_IDS[client], ...(secret !== undefined && { client_secret: secret }) };
}

/** Wrong secret for a confidential client, and any secret for a public one. */
function badCredentialsOf(client: ClientIndex): Record<string, string> {
  return { client_id: CLIENT_IDS[client], client_secret: `ocs_${'0'.repeat(48)}` };
}

function end(pairs: readonly Pair[]): void {
  for (const pair of pairs) Object.assign(pair, { isAccessRevoked: true, isRefreshRotated: true });
}

/** Index from the newest, modulo the number of items. */
export function fromNewest<Item>(items: readonly Item[], back: number): Item {
  return items[items.length - 1 - (back % items.length)] as Item;
}

export const other = (client: ClientIndex): ClientIndex => (client === 0 ? 1 : 0);
export const hasGrants = ({ grants }: Model) => grants.length > 0;
export const hasPairs = ({ pairs }: Model) => pairs.length > 0;

export async function issueCode(
  model: Model,
  service: ServiceUnderTest,
  { client, person, challenge }: { client: ClientIndex; person: ClientIndex; challenge: boolean },
): Promise<Grant> {
  // A public client must send a challenge.
  const isChallenged = challenge || model.secrets[client] === undefined;
  const pkce = { code_challenge: CODE_CHALLENGE, code_challenge_method: 'S256' };
  const confidential = confidentialRequest(isChallenged ? pkce : {});
  const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
  const request = client === 0 ? publicRequest(service, isChallenged ? {} : withoutPkce) : confidential;
  const browser = await signedIn(service, PEOPLE[person]);
  // A user with an earlier consent to the app is not asked again.
  const answer = await browser.get(authorizePath(request));
  const code = redirectQuery(answer).code ?? (await allow(browser, request));
  expect(code).not.toBe('');
  const until = service.clock.now() + MINUTE;
  const grant = { code, client, person, isChallenged, until, isRedeemed: false, pairs: [] };
  model.grants.push(grant);
  return grant;
}

/** Redeems a code, validly or not, after the model predicts the result. */
export async function redeemCode(
  model: Model,
  service: ServiceUnderTest,
  { grant, proof }: { grant: Grant; proof: Proof },
): Promise<void> {
  const asClient = proof === 'other client' ? other(grant.client) : grant.client;
  const verifier = verifierFor(grant, proof);
  const address = grant.client === 0 ? callbackOf(service) : `${BACKEND_SHOP}/auth/callback`;
  const answer = await postToken(service, {
    grant_type: 'authorization_code',
    ...(proof === 'bad secret' ? badCredentialsOf(asClient) : credentialsOf(model, asClient)),
    code: grant.code,
    redirect_uri: proof === 'wrong address' ? `${address}/other` : address,
    ...(verifier !== undefined && { code_verifier: verifier }),
  });
  await recordGrantResult(model, service, {
    answer,
    grant,
    expected: expectedOfCode(grant, proof, service.clock.now()),
  });
}

function verifierFor({ isChallenged }: Grant, proof: Proof): string | undefined {
  if (proof === 'wrong verifier') return 'x'.repeat(43);
  return isChallenged && proof !== 'no verifier' ? CODE_VERIFIER : undefined;
}

/** Applies the expected effect of the redemption to the model. */
function expectedOfCode(grant: Grant, proof: Proof, now: number): Answer {
  if (proof === 'bad secret') return INVALID_CLIENT;
  if (proof === 'other client') return INVALID_GRANT;
  if (grant.isRedeemed) {
    end(grant.pairs);
    return INVALID_GRANT;
  }
  grant.isRedeemed = true;
  if (now >= grant.until || proof === 'wrong address') return INVALID_GRANT;
  if (proof === 'no verifier' && grant.isChallenged) return INVALID_REQUEST;
  return proof === 'wrong verifier' ? INVALID_GRANT : { status: 201 };
}

export async function refreshPair(
  model: Model,
  service: ServiceUnderTest,
  { pair, proof }: { pair: Pair; proof: 'right' | 'bad secret' | 'other client' },
): Promise<void> {
  const { grant } = pair;
  const asClient = proof === 'other client' ? other(grant.client) : grant.client;
  const answer = await postToken(service, {
    grant_type: 'refresh_token',
    ...(proof === 'bad secret' ? badCredentialsOf(asClient) : credentialsOf(model, asClient)),
    refresh_token: pair.refresh_token,
  });
  const isValid = !pair.isRefreshRotated && service.clock.now() < pair.refreshUntil;
  let expected = INVALID_GRANT;
  if (proof === 'bad secret') expected = INVALID_CLIENT;
  if (proof === 'right' && isValid) {
    end([pair]);
    expected = { status: 201 };
  }
  await recordGrantResult(model, service, { answer, grant, expected });
}

/** Compares a response of the token endpoint with the prediction, and stores the returned pair. */
async function recordGrantResult(
  model: Model,
  service: ServiceUnderTest,
  { answer, grant, expected }: { answer: Response; grant: Grant; expected: Answer },
): Promise<void> {
  const body = (await answer.json()) as TokenPairBody & { error?: string };
  expect({ status: answer.status, error: body.error }).toEqual({ error: undefined, ...expected });
  if (answer.status !== 201) return;
  const now = service.clock.now();
  const pair: Pair = {
    ...{ access_token: body.access_token, refresh_token: body.refresh_token, grant },
    ...{ accessUntil: now + HOUR, refreshUntil: now + 30 * DAY },
    ...{ isAccessRevoked: false, isRefreshRotated: false },
  };
  grant.pairs.push(pair);
  model.pairs.push(pair);
}

export async function revokeToken(
  model: Model,
  service: ServiceUnderTest,
  { pair, kind, client }: { pair: Pair; kind: TokenKind; client: ClientIndex },
): Promise<void> {
  const isPublic = model.secrets[client] === undefined;
  const credentials = isPublic ? badCredentialsOf(client) : credentialsOf(model, client);
  const body = new URLSearchParams({ ...credentials, token: pair[kind] });
  const answer = await service.request('/oauth/revoke', { method: 'POST', body });
  expect(answer.status).toBe(isPublic ? 401 : 200);
  expect(await answer.text()).toBe(isPublic ? '{"error":"invalid_client"}' : '');
  if (isPublic || client !== pair.grant.client) return;
  if (kind === 'access_token') pair.isAccessRevoked = true;
  // A day after its end, no row is left that links a token to its successor.
  else if (service.clock.now() < pair.refreshUntil + DAY) end(pair.grant.pairs);
}

/** Revokes the grants of one or all of a user's apps, including unredeemed codes. */
export function endAccess({ grants }: Model, isMeant: (grant: Grant) => boolean): void {
  for (const grant of grants.filter(isMeant)) {
    grant.isRedeemed = true;
    end(grant.pairs);
  }
}
