import { createHash, randomBytes } from 'node:crypto';
import { PATHS } from '@latchkey/contract/constants';
import { logged } from '../log/soak-log.ts';
import { SEED } from '../world/seed.ts';
import type { Caller, Reply } from './caller.ts';
import { hiddenField, locationOf, type PageSession, signIn } from './page-session.ts';

type ClientKind = 'public' | 'confidential';

/** A user's apps: the sign-in at the service, and the token pairs of one client. */
export interface Account {
  readonly name: string;
  readonly email: string;
  browser?: PageSession | undefined;
  /** Id of the user, as the forms of the service contain it. */
  id?: string | undefined;
  pairs: Pair[];
}

interface Pair {
  client: ClientKind;
  access: string;
  refresh: string;
}

/** Pairs that a user keeps. Older ones are left to expire. */
const MAX_PAIRS = 6;

export function createAccount({ name, email }: { name: string; email: string }): Account {
  return { name, email, pairs: [] };
}

/** Signs in, approves a client, and redeems the code, sometimes twice or with a wrong verifier. */
export async function authorize(caller: Caller, account: Account): Promise<void> {
  const { random } = caller;
  account.browser ??= await signIn(caller, account.email);
  const { browser } = account;
  if (browser === undefined) return;
  const client: ClientKind = random.chance(0.6) ? 'public' : 'confidential';
  const verifier = randomBytes(32).toString('base64url');
  const code = await approve(caller, { account, browser, client, verifier });
  if (code === undefined) return;
  const redeem = (given = verifier) => redeemCode(caller, { account, client, code, verifier: given });
  if (random.chance(0.1)) {
    await redeem('x'.repeat(43));
    await redeem();
  } else if (random.chance(0.25)) {
    await Promise.all([redeem(), redeem()]);
  } else {
    await redeem();
    if (random.chance(0.1)) await redeem();
  }
}

interface Approval {
  account: Account;
  browser: PageSession;
  client: ClientKind;
  verifier: string;
}

/** Returns the code of an approved request, which the log states as an operation of its own. */
async function approve(caller: Caller, approval: Approval): Promise<string | undefined> {
  const { account, browser, client, verifier } = approval;
  const query = {
    client_id: SEED.clients[client].clientId,
    redirect_uri: SEED.redirectUri,
    scope: 'memberships.read',
    state: randomBytes(8).toString('hex'),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  };
  const page = await browser.get(`/oauth/consent?${new URLSearchParams(query)}`);
  if (page.status === 302) account.browser = undefined;
  const id = hiddenField(page, 'account');
  if (page.status !== 200 || id === undefined) return undefined;
  account.id = id;
  const sent = Date.now();
  const reply = await browser.post('/oauth/consent', { ...query, account: id, decision: 'allow' });
  const code = new URLSearchParams(locationOf(reply).split('?')[1] ?? '').get('code') ?? undefined;
  caller.world.log.append({
    kind: 'call',
    op: 'authorize',
    subject: account.name,
    sent,
    done: Date.now(),
    input: { client },
    status: code === undefined ? null : 302,
    output: code === undefined ? {} : { code: logged(code) },
  });
  return code;
}

async function redeemCode(
  caller: Caller,
  {
    account,
    client,
    code,
    verifier,
  }: { account: Account; client: ClientKind; code: string; verifier: string },
): Promise<void> {
  const reply = await caller.call({
    op: 'redeem',
    subject: account.name,
    input: { code: logged(code), client, isVerified: !verifier.startsWith('xxx') },
    path: PATHS.token,
    form: {
      grant_type: 'authorization_code',
      ...credentialsOf(client),
      code,
      redirect_uri: SEED.redirectUri,
      code_verifier: verifier,
    },
    output: pairOf,
  });
  keepPair(account, client, reply);
}

/** Rotates a refresh token, sometimes in two requests at once, and sometimes repeats one that was rotated. */
export async function refresh(caller: Caller, account: Account): Promise<void> {
  const { random } = caller;
  const [pair] = account.pairs.splice(random.between(0, account.pairs.length - 1), 1);
  if (pair === undefined) return await authorize(caller, account);
  const send = () => sendRefresh(caller, account, pair);
  if (random.chance(0.3)) await Promise.all([send(), send()]);
  else {
    const reply = await send();
    const isUnknown = reply.status === null || reply.status >= 500;
    if (isUnknown || random.chance(0.15)) await send();
  }
  // The old access token ends with the rotation.
  if (random.chance(0.3)) await userinfo(caller, account, pair);
}

async function sendRefresh(
  caller: Caller,
  account: Account,
  { client, refresh: token }: Pair,
): Promise<Reply> {
  const reply = await caller.call({
    op: 'refresh',
    subject: account.name,
    input: { refresh: logged(token) },
    path: PATHS.token,
    form: { grant_type: 'refresh_token', ...credentialsOf(client), refresh_token: token },
    output: pairOf,
  });
  keepPair(account, client, reply);
  return reply;
}

/** Revokes a token of the confidential client, then reads with the access token. */
export async function revoke(caller: Caller, account: Account): Promise<void> {
  const index = account.pairs.findIndex(({ client }) => client === 'confidential');
  const pair = account.pairs[index];
  if (pair === undefined) return;
  const hint = caller.random.chance(0.5) ? 'access_token' : 'refresh_token';
  const token = hint === 'access_token' ? pair.access : pair.refresh;
  if (hint === 'refresh_token') account.pairs.splice(index, 1);
  await caller.call({
    op: 'revoke',
    subject: account.name,
    input: { hint, token: logged(token) },
    path: PATHS.revoke,
    form: { ...credentialsOf('confidential'), token, token_type_hint: hint },
  });
  await userinfo(caller, account, pair);
}

export async function readSomething(caller: Caller, account: Account): Promise<void> {
  const { random } = caller;
  if (account.pairs.length === 0) return;
  const pair = random.pick(account.pairs);
  if (random.chance(0.4)) await userinfo(caller, account, pair);
  else await memberships(caller, account, pair);
}

async function userinfo(caller: Caller, { name }: Account, { access }: Pair): Promise<void> {
  await caller.call({
    op: 'userinfo',
    subject: name,
    input: { access: logged(access) },
    path: PATHS.userinfo,
    token: access,
    output: ({ body: { sub, error } }) => ({ sub, error }),
  });
}

/** Reads the memberships with the access token of a pair. */
export async function memberships(caller: Caller, { name }: Account, { access }: Pair): Promise<void> {
  await caller.call({
    op: 'memberships',
    subject: name,
    input: { access: logged(access) },
    path: PATHS.memberships,
    token: access,
    output: ({ body: { memberships: list, error } }) => ({ memberships: list, error }),
  });
}

/** Signs the user out of all browsers and all apps. */
export async function signOutEverywhere(caller: Caller, account: Account): Promise<void> {
  const { browser, id } = account;
  if (browser === undefined || id === undefined) return;
  const sent = Date.now();
  const reply = await browser.post('/account/sessions/end', { account: id, which: 'all', apps: 'on' });
  const isDone = reply.status === 303 && locationOf(reply) === '/signed-out';
  caller.world.log.append({
    kind: 'call',
    op: 'sign-out-apps',
    subject: account.name,
    sent,
    done: Date.now(),
    input: {},
    // A redirect to the sign-in page means that the session had ended before, so nothing was changed.
    status: isDone ? 303 : reply.status === 303 ? 401 : reply.status,
  });
  const [pair] = account.pairs;
  if (pair !== undefined) await userinfo(caller, account, pair);
  if (!isDone) return;
  account.browser = undefined;
  account.pairs = [];
}

function credentialsOf(client: ClientKind): Record<string, string> {
  const { clientId, clientSecret } = SEED.clients[client];
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
}

function pairOf({ body }: Reply): Record<string, unknown> {
  const { access_token, refresh_token, error } = body as Record<string, string | undefined>;
  if (access_token === undefined || refresh_token === undefined) return { error };
  return { access: logged(access_token), refresh: logged(refresh_token) };
}

function keepPair(account: Account, client: ClientKind, { status, body }: Reply): void {
  if (status !== 201) return;
  account.pairs.push({ client, access: String(body.access_token), refresh: String(body.refresh_token) });
  if (account.pairs.length > MAX_PAIRS) account.pairs.shift();
}
