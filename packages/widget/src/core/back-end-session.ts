import { type Clock, OAuthClientError } from '@latchkey/oauth';
import type { RenewalOutcome, SessionKeeper, SignedIn } from './session-keeper.js';
import { joinTabs } from './tab-sync.js';

export interface BackEndOptions {
  /** Where the kit is mounted on this page's own origin, such as `/auth`. */
  backend: string;
  clock: Clock;
  /** Names the session among those of the site's other clients. */
  name: string;
  fetch?: typeof fetch | undefined;
  /** How long one request may take, in milliseconds. Default 30000. */
  timeoutMs?: number | undefined;
}

/**
 * An address of the kit. Its cookie is for this origin only, and a code must not leave for another one.
 * @throws OAuthClientError `invalid_configuration`
 */
export function backendUrl(backend: string, path: string): string {
  const url = `${backend.replace(/\/+$/, '')}/${path}`;
  if (new URL(url, document.baseURI).origin === location.origin) return url;
  throw new OAuthClientError(
    'invalid_configuration',
    `backend must be a path of this site (${location.origin}), not ${backend}.`,
  );
}

/** How long after the token's end the backend may stay silent before its session counts as over. */
const GRACE_MS = 5 * 60_000;
/** A backend renews when it is asked, but not necessarily the first time: it is asked no more often than this. */
const SHORTEST_PAUSE_MS = 60_000;
/** A page that is shown again does not look again sooner than this. */
const CHECK_PAUSE_MS = 10_000;

/** A session that lives at the site's own server, behind an httpOnly cookie; this page never sees a token. */
export function createBackEndSession(options: BackEndOptions): SessionKeeper {
  const { backend, clock, name, timeoutMs = 30_000 } = options;
  // The cookie is every tab's: what one tab made of the session holds for all.
  const tabs = joinTabs<RenewalOutcome>(name);

  async function ask(
    path: string,
    request: { signal: AbortSignal; body?: object | undefined },
  ): Promise<Record<string, unknown>> {
    const url = backendUrl(backend, path);
    const { body } = request;
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
    let status: number;
    let text: string;
    try {
      const response = await (options.fetch ?? fetch)(url, {
        method: body ? 'POST' : 'GET',
        headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        credentials: 'same-origin',
        cache: 'no-store',
        signal,
      });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      throw new OAuthClientError(request.signal.aborted ? 'aborted' : 'network', `No answer from ${url}.`, {
        cause,
      });
    }
    const answer = parse(text);
    if (status >= 200 && status < 300) return answer;
    const { error, message = '' } = answer;
    const code =
      status >= 500 ? 'service_error' : error === 'invalid_grant' ? 'invalid_grant' : 'invalid_request';
    throw new OAuthClientError(code, `${url} answered ${status}. ${message}`, { status });
  }

  async function askSession(path: string, signal: AbortSignal, body?: object): Promise<RenewalOutcome> {
    const now = clock.now();
    return readSession(await ask(path, { body, signal }), now);
  }

  return {
    mayHaveSession: true,
    async exchange(grant, signal) {
      const session = await askSession('exchange', signal, grant);
      if (typeof session === 'string') throw unreadable();
      tabs.tell(session);
      return session;
    },
    renew: (signal) => askSession('session', signal),
    async signOut(signal) {
      await ask('logout', { body: {}, signal });
      tabs.tell('signed-out');
    },
    accessToken: () => undefined,
    leaveBehind() {},
    listen: tabs.listen,
    close: tabs.close,
  };
}

function readSession(answer: Record<string, unknown>, now: number): RenewalOutcome {
  const { signedIn, user, memberships, expiresAt, reason } = answer as Partial<SignedIn> & {
    signedIn?: unknown;
    reason?: unknown;
  };
  if (signedIn === false) return reason === 'expired' ? 'expired' : 'signed-out';
  if (signedIn !== true || typeof user?.sub !== 'string' || typeof expiresAt !== 'number') throw unreadable();
  return {
    user,
    memberships: Array.isArray(memberships) ? memberships : undefined,
    readAt: now,
    expiresAt,
    renewAt: Math.max(expiresAt, now + SHORTEST_PAUSE_MS),
    // The site's own forms sign out too, in another tab, and tell nobody.
    checkAt: now + CHECK_PAUSE_MS,
    endsAt: Math.max(expiresAt, now) + GRACE_MS,
  };
}

function unreadable(): OAuthClientError {
  return new OAuthClientError('unreadable_response', 'The backend did not answer with a session.');
}

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
