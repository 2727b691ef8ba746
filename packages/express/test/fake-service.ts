import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Membership } from '@latchkey/oauth';
import { listen } from './listen.js';
import type { ManualClock } from './manual-clock.js';

export const PUBLIC_CLIENT = `oac_${'a'.repeat(24)}`;
export const CONFIDENTIAL_CLIENT = `oac_${'c'.repeat(24)}`;
export const CLIENT_SECRET = `ocs_${'5'.repeat(48)}`;

export interface FakeUser {
  sub: string;
  email: string | null;
  memberships: Membership[];
}

interface Pair {
  user: FakeUser;
  scope: string;
  access: string;
  refresh: string;
  issuedAt: number;
  accessRevoked: boolean;
  refreshSpent: boolean;
}

interface Code {
  user: FakeUser;
  clientId: string;
  redirectUri: string;
  challenge: string;
  scope: string;
  issuedAt: number;
  spent: boolean;
}

/** How the service misbehaves on a path. `truncated`: the answer ends in mid-sentence. `lose`: does its work, then drops the connection. `refuse`: by its scope. */
type Fault = 'down' | 'error' | 'garbage' | 'truncated' | 'hang' | 'lose' | 'refuse';

/** What becomes of one token request: how long its answer takes, and which way it is lost. */
export interface TokenFate {
  delayMs?: number;
  lose?: 'request' | 'answer';
}

/** A service that behaves as the spec says, with one user at the browser, and faults on demand. */
export interface FakeService {
  url: string;
  /** Who is signed in at the service and consents at once; undefined declines. */
  visitor: FakeUser | undefined;
  /** The scopes that visitors grant of those asked for; undefined: all of them. */
  willing: readonly string[] | undefined;
  /** Requests so far, as `METHOD /path`. */
  requests: string[];
  /** Bodies of the token and revoke requests. */
  forms: URLSearchParams[];
  basicHeaders: number;
  /** By path. */
  faults: Map<string, Fault>;
  /** Holds token answers back until the returned function is called. */
  holdTokenAnswers(): () => void;
  /** Holds answers to /oauth/memberships back, as they were when they were asked for, until the returned function is called. */
  holdMemberships(): () => void;
  /** Asked at every token request. */
  fateOfToken: ((form: URLSearchParams) => TokenFate) | undefined;
  /** Makes tokens this long. */
  tokenBytes: number;
  /** A code as the popup would have got it. */
  issueCode(code: { user: FakeUser; clientId: string; redirectUri: string; challenge: string }): string;
  /** Ends every access token now; refresh tokens live on. */
  revokeAccessTokens(): void;
  /** Ends everything. */
  revokeEverything(): void;
  /** True while a refresh token of the user could still be redeemed. */
  hasLiveRefreshToken(user: FakeUser): boolean;
  count(request: string): number;
  close(): Promise<void>;
}

export function fakeUser(email: string | null, memberships: Partial<Membership>[] = []): FakeUser {
  return { sub: randomUUID(), email, memberships: memberships.map(fakeMembership) };
}

export function fakeMembership(membership: Partial<Membership> = {}): Membership {
  return {
    id: randomUUID(),
    productType: 'community',
    isActive: true,
    validFrom: '2029-01-01T00:00:00.000Z',
    ...membership,
  };
}

export async function startFakeService(clock: ManualClock): Promise<FakeService> {
  const codes = new Map<string, Code>();
  const pairs: Pair[] = [];
  let held: Promise<void> | undefined;
  let heldMemberships: Promise<void> | undefined;

  const service: FakeService = {
    url: '',
    visitor: undefined,
    willing: undefined,
    requests: [],
    forms: [],
    basicHeaders: 0,
    faults: new Map(),
    fateOfToken: undefined,
    tokenBytes: 32,
    holdTokenAnswers() {
      let resolve = () => {};
      const promise = new Promise<void>((resolved) => {
        resolve = resolved;
      });
      held = promise;
      return () => {
        held = undefined;
        resolve();
      };
    },
    holdMemberships() {
      const { promise, resolve } = Promise.withResolvers<void>();
      heldMemberships = promise;
      return () => {
        heldMemberships = undefined;
        resolve();
      };
    },
    issueCode({ user, clientId, redirectUri, challenge }) {
      const code = randomBytes(32).toString('base64url');
      codes.set(code, {
        user,
        clientId,
        redirectUri,
        challenge,
        scope: 'memberships.read',
        issuedAt: clock.now(),
        spent: false,
      });
      return code;
    },
    revokeAccessTokens() {
      for (const pair of pairs) pair.accessRevoked = true;
    },
    revokeEverything() {
      for (const pair of pairs) pair.accessRevoked = pair.refreshSpent = true;
    },
    hasLiveRefreshToken: (user) => pairs.some((pair) => pair.user === user && !pair.refreshSpent),
    count: (request) => service.requests.filter((each) => each === request).length,
    close: async () => {},
  };

  function issuePair(user: FakeUser, scope: string): object {
    const [access, refresh] = [randomBytes(service.tokenBytes), randomBytes(service.tokenBytes)].map(
      (bytes) => bytes.toString('base64url'),
    );
    if (access === undefined || refresh === undefined) throw new Error('no tokens');
    pairs.push({
      user,
      scope,
      access,
      refresh,
      issuedAt: clock.now(),
      accessRevoked: false,
      refreshSpent: false,
    });
    return {
      access_token: access,
      refresh_token: refresh,
      token_type: 'Bearer',
      expires_in: 3600,
      scope,
      unknown_field: 1,
    };
  }

  function authorize(query: URLSearchParams): { status: number; location?: string; body?: object } {
    const redirectUri = query.get('redirect_uri') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    if (challenge.length < 43) return { status: 400, body: { error: 'invalid_request' } };
    const target = new URL(redirectUri);
    target.searchParams.set('state', query.get('state') ?? '');
    if (service.visitor === undefined) target.searchParams.set('error', 'access_denied');
    else {
      const code = service.issueCode({
        user: service.visitor,
        clientId: query.get('client_id') ?? '',
        redirectUri,
        challenge,
      });
      const issued = codes.get(code);
      const asked = (query.get('scope') ?? '').split(' ');
      if (issued) issued.scope = asked.filter((each) => service.willing?.includes(each) ?? true).join(' ');
      target.searchParams.set('code', code);
    }
    return { status: 302, location: target.href };
  }

  function token(form: URLSearchParams): { status: number; body: object } {
    const refuse = (error: string, status = 400) => ({
      status,
      body: { error, error_description: `because ${error}` },
    });
    if (!credentialsFit(form)) return refuse('invalid_client', 401);
    if (form.get('grant_type') === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      const fits =
        code !== undefined &&
        !code.spent &&
        clock.now() - code.issuedAt < 60_000 &&
        code.clientId === form.get('client_id') &&
        code.redirectUri === form.get('redirect_uri') &&
        code.challenge === challenge;
      if (code) code.spent = true;
      return fits ? { status: 201, body: issuePair(code.user, code.scope) } : refuse('invalid_grant');
    }
    const pair = pairs.find((each) => each.refresh === form.get('refresh_token'));
    const thirtyDays = 30 * 24 * 3600 * 1000;
    if (pair === undefined || pair.refreshSpent || clock.now() - pair.issuedAt >= thirtyDays)
      return refuse('invalid_grant');
    pair.refreshSpent = pair.accessRevoked = true;
    return { status: 201, body: issuePair(pair.user, pair.scope) };
  }

  function resource(request: IncomingMessage, path: string): { status: number; body: object } {
    const bearer = request.headers.authorization?.replace('Bearer ', '');
    const pair = pairs.find((each) => each.access === bearer);
    if (pair === undefined || pair.accessRevoked || clock.now() - pair.issuedAt >= 3_600_000) {
      return { status: 401, body: { error: 'invalid_token', error_description: 'no' } };
    }
    if (path === '/oauth/userinfo')
      return { status: 200, body: { sub: pair.user.sub, email: pair.user.email, extra: true } };
    if (!pair.scope.includes('memberships.read'))
      return { status: 403, body: { error: 'insufficient_scope' } };
    const memberships = pair.user.memberships.filter(
      ({ validUntil }) => !validUntil || Date.parse(validUntil) > clock.now(),
    );
    return { status: 200, body: { memberships } };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://service');
    const path = url.pathname;
    service.requests.push(`${request.method} ${path}`);
    if (request.headers.authorization?.startsWith('Basic')) service.basicHeaders += 1;
    const body = await readText(request);
    const fault = service.faults.get(path);
    if (fault === 'down') return void request.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'error')
      return void response
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{"error":"server_error"}');
    if (fault === 'garbage')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>It works!</h1>');
    if (fault === 'refuse') {
      response
        .writeHead(403, { 'content-type': 'application/json' })
        .end('{"error":"insufficient_scope","error_description":"The memberships.read scope is required."}');
      return;
    }
    let result: { status: number; location?: string; body?: object };
    if (path === '/oauth/authorize') result = authorize(url.searchParams);
    else if (path === '/oauth/token') {
      const form = new URLSearchParams(body);
      service.forms.push(form);
      const { delayMs = 0, lose } = service.fateOfToken?.(form) ?? {};
      if (lose === 'request') return void request.socket.destroy();
      result = token(form);
      await held;
      if (delayMs > 0) await pause(delayMs);
      if (lose === 'answer') return void request.socket.destroy();
    } else if (path === '/oauth/revoke') {
      const form = new URLSearchParams(body);
      service.forms.push(form);
      const allowed = form.get('client_id') === CONFIDENTIAL_CLIENT && credentialsFit(form);
      if (allowed) {
        const pair = pairs.find(
          (each) => each.refresh === form.get('token') || each.access === form.get('token'),
        );
        if (pair) pair.accessRevoked = pair.refreshSpent = true;
      }
      result = allowed ? { status: 200 } : { status: 401, body: { error: 'invalid_client' } };
    } else {
      result = resource(request, path);
      if (path === '/oauth/memberships') await heldMemberships;
    }
    if (fault === 'lose') return void request.socket.destroy();
    if (fault === 'truncated') {
      const text = JSON.stringify(result.body ?? {});
      response.writeHead(result.status, {
        'content-type': 'application/json',
        'content-length': text.length,
      });
      response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
      return;
    }
    response.writeHead(result.status, {
      ...(result.location === undefined ? {} : { location: result.location }),
      ...(result.body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    response.end(result.body === undefined ? undefined : JSON.stringify(result.body));
  }

  const server = createServer((request, response) => void answer(request, response));
  const { url, close } = await listen(server);
  service.url = url;
  service.close = close;
  return service;
}

function credentialsFit(form: URLSearchParams): boolean {
  if (form.get('client_id') === PUBLIC_CLIENT) return !form.has('client_secret');
  return form.get('client_id') === CONFIDENTIAL_CLIENT && form.get('client_secret') === CLIENT_SECRET;
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
