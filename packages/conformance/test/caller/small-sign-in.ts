import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from './faults.js';
import type { Reply, SmallAppOptions } from './small-reply.js';

/** Session of a signed-in user. */
export interface Session {
  sub: string;
  email: string | null;
  access: string;
  refresh: string;
  expiresAt: number;
}

/** The sign-in of the small app, and the pages of signed-in users. */
export class SmallSignIn {
  /** Base URL of the app. */
  url = '';
  /** Users who are members for another reason than the list of the service. */
  readonly paid = new Set<string>();
  readonly #env: Readonly<Record<string, string>>;
  readonly #faults: ReadonlySet<Fault>;
  readonly #isPublic: boolean;
  readonly #logins = new Map<string, { verifier: string }>();
  readonly #sessions = new Map<string, Session>();
  readonly #accounts = new Map<string, string>();

  constructor({ env, faults, isPublic = false }: SmallAppOptions) {
    this.#env = env;
    this.#faults = faults;
    this.#isPublic = isPublic;
  }

  sessionOf(request: IncomingMessage): Session | undefined {
    return this.#sessions.get(sessionIdOf(request));
  }

  login(response: ServerResponse): Reply {
    const state = randomUUID();
    const verifier = randomBytes(32).toString('base64url');
    this.#logins.set(state, { verifier });
    response.setHeader('set-cookie', `login=${state}; Path=/; HttpOnly`);
    const encoding = this.#faults.has('hex-challenge') ? 'hex' : 'base64url';
    const challenge = createHash('sha256').update(verifier).digest(encoding);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: this.#clientId,
      redirect_uri: `${this.url}/callback`,
      scope: 'memberships.read',
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    return [302, '', `${this.#env.LATCHKEY_SERVICE_URL}/oauth/authorize?${query}`];
  }

  get #clientId(): string {
    const { LATCHKEY_PUBLIC_CLIENT_ID, LATCHKEY_CLIENT_ID } = this.#env;
    return (this.#isPublic ? LATCHKEY_PUBLIC_CLIENT_ID : LATCHKEY_CLIENT_ID) ?? '';
  }

  async callback(request: IncomingMessage, query: URLSearchParams, response: ServerResponse): Promise<Reply> {
    const sent = /login=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const login = this.#logins.get(sent);
    if (login === undefined) return [400, 'The sign-in has expired.'];
    if (query.get('state') !== sent && !this.#faults.has('ignores-state'))
      return [400, 'The sign-in is not yours.'];
    const grant = {
      grant_type: 'authorization_code',
      code: query.get('code') ?? '',
      redirect_uri: `${this.url}/callback`,
      code_verifier: login.verifier,
    };
    let answer = await this.#token(grant);
    if (answer.status === 400 && this.#faults.has('retries-rejected-code')) answer = await this.#token(grant);
    const isIssued = this.#faults.has('requires-token-200') ? answer.status === 200 : answer.status < 300;
    if (!isIssued) return [502, 'The sign-in failed.'];
    const session = await this.#sessionFrom((await answer.json()) as Record<string, unknown>);
    if (session === undefined) return [502, 'The sign-in failed.'];
    const id = randomUUID();
    this.#sessions.set(id, session);
    response.setHeader('set-cookie', `session=${id}; Path=/; HttpOnly`);
    return [200, 'Signed in.'];
  }

  async #sessionFrom(pair: Record<string, unknown>): Promise<Session | undefined> {
    const access = String(pair.access_token);
    if (this.#faults.has('parses-tokens') && access.split('.').length !== 1) return undefined;
    const userinfo = await this.#get('/oauth/userinfo', access);
    const { sub, email } = (await userinfo.json()) as { sub: string; email: string | null };
    if (this.#faults.has('requires-email') && email === null) return undefined;
    const expiresAt = Date.now() + Number(pair.expires_in) * 1000;
    return { sub, email, access, refresh: String(pair.refresh_token), expiresAt };
  }

  async #token(grant: Record<string, string>): Promise<Response> {
    const secret: Record<string, string> = this.#isPublic
      ? {}
      : { client_secret: this.#env.LATCHKEY_CLIENT_SECRET ?? '' };
    const headers: Record<string, string> = {};
    if (this.#faults.has('basic-header')) {
      headers.authorization = `Basic ${btoa(`${this.#clientId}:${this.#env.LATCHKEY_CLIENT_SECRET}`)}`;
    }
    return await fetch(`${this.#env.LATCHKEY_SERVICE_URL}/oauth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ client_id: this.#clientId, ...secret, ...grant }),
    });
  }

  accountOf({ sub, email }: Session): string {
    const key = this.#faults.has('keys-by-email') ? (email ?? sub) : sub;
    const account = this.#accounts.get(key) ?? `account-${this.#accounts.size + 1}`;
    this.#accounts.set(key, account);
    return account;
  }

  async members(session: Session): Promise<Reply> {
    if (Date.now() >= session.expiresAt) {
      const failure = await this.refresh(session);
      if (failure !== undefined) return failure;
    }
    let list = await this.#get('/oauth/memberships', session.access);
    if (list.status === 401 || (list.status === 403 && this.#faults.has('refreshes-on-403'))) {
      if (this.#faults.has('dies-on-401')) return [500, 'Internal error'];
      const failure = await this.refresh(session);
      if (failure !== undefined) return failure;
      list = await this.#get('/oauth/memberships', session.access);
    }
    if (!list.ok) return [503, 'Try again later.'];
    const { memberships } = (await list.json()) as { memberships: { validUntil?: string | null }[] };
    const isMember = memberships.some(({ validUntil }) =>
      this.#faults.has('requires-end') ? Date.parse(String(validUntil)) > Date.now() : true,
    );
    return isMember || this.paid.has(session.sub) ? [200, 'Welcome'] : [403, 'Buy a membership.'];
  }

  async refresh(session: Session): Promise<Reply | undefined> {
    const answer = await this.#token({ grant_type: 'refresh_token', refresh_token: session.refresh });
    if (answer.status >= 500 && !this.#faults.has('outage-ends-session')) return [503, 'Try again later.'];
    if (!answer.ok) {
      const { error_description: description = '' } = (await answer.json()) as { error_description?: string };
      if (this.#faults.has('reads-description') && !description.includes('expired'))
        return [500, 'Internal error'];
      if (!this.#faults.has('resends-rejected-refresh')) this.#end(session);
      return [401, 'Sign in.'];
    }
    const pair = (await answer.json()) as Record<string, string>;
    session.access = String(pair.access_token);
    if (!this.#faults.has('keeps-spent-refresh')) session.refresh = String(pair.refresh_token);
    session.expiresAt = Date.now() + Number(pair.expires_in) * 1000;
    return undefined;
  }

  #end(session: Session): void {
    for (const [id, other] of this.#sessions) if (other === session) this.#sessions.delete(id);
  }

  async logout(session: Session, request: IncomingMessage): Promise<Reply> {
    if (this.#isPublic) {
      if (!this.#faults.has('public-keeps-tokens')) this.#sessions.delete(sessionIdOf(request));
      return [200, 'Signed out.'];
    }
    const answer = await fetch(`${this.#env.LATCHKEY_SERVICE_URL}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: this.#clientId,
        client_secret: this.#env.LATCHKEY_CLIENT_SECRET ?? '',
        token: session.refresh,
      }),
    });
    if (this.#faults.has('parses-revocation')) await answer.json();
    this.#end(session);
    return [200, 'Signed out.'];
  }

  async #get(path: string, token: string): Promise<Response> {
    const headers = { authorization: `Bearer ${token}` };
    return await fetch(`${this.#env.LATCHKEY_SERVICE_URL}${path}`, { headers });
  }
}

function sessionIdOf(request: IncomingMessage): string {
  return /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
}
