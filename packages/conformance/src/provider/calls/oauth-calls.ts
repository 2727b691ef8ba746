import { createHash, randomBytes } from 'node:crypto';
import {
  type Answer,
  Missing,
  requireFixture,
  requireSuccess,
  requireText,
  valueAt,
} from '../session/answer.js';
import { type Call, once, type Session } from '../session/session.js';

/** Parameters of a request. `undefined` leaves out a parameter. */
export type Parameters = Readonly<Record<string, string | undefined>>;

export type ClientKind = 'public' | 'confidential';

export interface TestedClient {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly clientSecret?: string;
}

/** Returns the parameters with which a client authenticates. */
function credentialsOf(session: Session, kind: ClientKind): Parameters {
  const { clientId, clientSecret } = clientOf(session, kind);
  return { client_id: clientId, client_secret: clientSecret };
}

export const SCOPES = 'memberships.read products.read';

export function clientOf({ fixtures }: Session, kind: ClientKind): TestedClient {
  return requireFixture<TestedClient>(fixtures.clients[kind], `clients.${kind}`);
}

export function newVerifier(length = 43): { verifier: string; challenge: string } {
  const verifier = randomBytes(120).toString('base64url').slice(0, length);
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** Returns the path of an authorization request. A confidential client sends no challenge. */
function authorizePath(session: Session, client: ClientKind | TestedClient, changes: Parameters): string {
  const { clientId, redirectUri } = typeof client === 'string' ? clientOf(session, client) : client;
  const query = present({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: SCOPES,
    state: 'conformance',
    ...(client !== 'confidential' && {
      code_challenge: newVerifier().challenge,
      code_challenge_method: 'S256',
    }),
    ...changes,
  });
  return `${session.paths.authorize}?${new URLSearchParams(query)}`;
}

/** Sends an authorization request like a browser without a session. */
export async function authorizeBare(
  session: Session,
  client: ClientKind | TestedClient,
  changes: Parameters = {},
): Promise<Answer> {
  return await session.send({ path: authorizePath(session, client, changes) });
}

export type Authorization = Awaited<ReturnType<typeof authorize>>;

export interface AuthorizationOptions {
  readonly kind?: ClientKind;
  /** @default users.member */
  readonly email?: string;
  readonly decision?: 'approve' | 'decline';
  readonly changes?: Parameters;
  /** Whether to send a challenge. @default true for the public client */
  readonly pkce?: boolean;
  readonly verifierLength?: number;
}

export async function authorize(session: Session, options: AuthorizationOptions = {}) {
  const { kind = 'public', decision = 'approve', changes = {}, verifierLength } = options;
  const pkce = options.pkce ?? kind === 'public';
  const email = options.email ?? requireFixture(session.fixtures.users.member, 'users.member');
  const { verifier, challenge } = newVerifier(verifierLength);
  const path = authorizePath(session, kind, {
    code_challenge: pkce ? challenge : undefined,
    code_challenge_method: pkce ? 'S256' : undefined,
    ...changes,
  });
  const { location } = await session.drive('authorize', {
    url: `${session.options.baseUrl}${path}`,
    email,
    decision,
  });
  const url = new URL(location);
  session.learnSecrets(Object.fromEntries(url.searchParams));
  const { redirectUri } = clientOf(session, kind);
  return { kind, location: url, redirectUri, verifier: pkce ? verifier : undefined };
}

export async function postTokenForm(session: Session, fields: Parameters, call?: FormCall): Promise<Answer> {
  return await postForm(session, session.paths.token, fields, call);
}

type FormCall = Pick<Call, 'headers' | 'isMadeUp'>;

async function postForm(session: Session, path: string, fields: Parameters, call: FormCall = {}) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', ...call.headers };
  const body = new URLSearchParams(present(fields)).toString();
  return await session.send({ method: 'POST', path, body, ...call, headers });
}

export async function postTokenJson(session: Session, fields: Readonly<Record<string, unknown>>) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(fields);
  return await session.send({ method: 'POST', path: session.paths.token, headers, body });
}

export function redemption(
  session: Session,
  authorization: Authorization,
  changes: Parameters = {},
): Parameters {
  const { kind, location, verifier, redirectUri } = authorization;
  const code = location.searchParams.get('code');
  if (code === null) throw new Missing(`precondition: the redirect to the client has no code`);
  return {
    ...{ grant_type: 'authorization_code', code },
    ...credentialsOf(session, kind),
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  };
}

export async function redeem(
  session: Session,
  authorization: Authorization,
  changes: Parameters = {},
): Promise<Answer> {
  return await postTokenForm(session, redemption(session, authorization, changes));
}

export type Pair = ReturnType<typeof pairOf>;

export function pairOf(kind: ClientKind, answer: Answer) {
  return {
    kind,
    access: requireText(answer, 'access_token'),
    refresh: requireText(answer, 'refresh_token'),
  };
}

export async function newPair(session: Session, options: AuthorizationOptions = {}): Promise<Pair> {
  const authorization = await authorize(session, options);
  return pairOf(authorization.kind, await redeem(session, authorization));
}

export async function refresh(
  session: Session,
  { kind, refresh: token }: Pick<Pair, 'kind' | 'refresh'>,
  changes: Parameters = {},
): Promise<Answer> {
  const fields = { grant_type: 'refresh_token', refresh_token: token };
  return await postTokenForm(session, { ...fields, ...credentialsOf(session, kind), ...changes });
}

export async function revoke(
  session: Session,
  token: string | undefined,
  changes: Parameters = {},
): Promise<Answer> {
  const fields = { ...credentialsOf(session, 'confidential'), token, ...changes };
  return await postForm(session, session.paths.revoke, fields);
}

export async function getResource(session: Session, path: string, token?: string): Promise<Answer> {
  return await session.send({
    path,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
}

export function itemsOf(answer: Answer, list: 'memberships' | 'products'): readonly unknown[] {
  const items = valueAt(requireSuccess(answer), list);
  if (Array.isArray(items)) return items;
  throw new Missing(`precondition: the response has no array ${list}`);
}

export const UNKNOWN_CLIENT = `oac_${'0'.repeat(24)}`;
export const WRONG_SECRET = `ocs_${'f'.repeat(48)}`;

/** Redeems a code that doesn't exist, with the confidential client's correct credentials, apart from the changes. */
export const requestToken = once(async (session, changes: Parameters): Promise<Answer> => {
  const { redirectUri } = clientOf(session, 'confidential');
  const fields = { grant_type: 'authorization_code', code: 'unknown-code', redirect_uri: redirectUri };
  return await postTokenForm(session, { ...fields, ...credentialsOf(session, 'confidential'), ...changes });
});

/** Redeems a new code of the public client, apart from the changes. */
export async function redeemNewCode(session: Session, changes: Parameters): Promise<Answer> {
  return await redeem(session, await authorize(session), changes);
}

/** Revokes an unknown token with the confidential client's credentials, apart from the changes. */
export const revokeUnknown = once((session, changes: Parameters = {}) =>
  revoke(session, 'unknown-token', changes),
);

function present(parameters: Parameters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
