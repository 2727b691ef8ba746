import {
  exchangeCode,
  isOAuthClientError,
  OAuthClientError,
  refreshTokenSet,
  type TokenSet,
} from '@latchkey/oauth';
import { readValue, type TabChannel } from '../browser/tabs.js';
import { takeValue, writeValue } from '../browser/write-value.js';
import { type Account, corsFetch, fetchAccount } from '../sign-in/account-requests.js';
import type { SessionResult, SignedIn } from '../state/login-state.js';
import type { CodeGrant, SessionProvider, TimedService } from '../state/session-provider.js';
import {
  createMemoryStore,
  createWebStore,
  parseTokens,
  type StoredTokens,
  type TokenStorage,
  type TokenStore,
} from './token-store.js';

/**
 * How long to wait for another tab's lock, in milliseconds. Longer than any request's timeout, to let that tab finish.
 */
const LOCK_TIMEOUT_MS = 45_000;

/** How long before its expiry a token is refreshed at the earliest, in milliseconds. */
const MAX_LEAD_MS = 60_000;

type TabMessage =
  /** The tokens changed. `spent` is the access token of the old pair, or `undefined` after a sign-in. */
  | {
      type: 'changed';
      storage: TokenStorage;
      session: SignedIn;
      spent: string | undefined;
      tokens: StoredTokens;
    }
  | { type: 'signed-out' }
  | { type: 'expired'; spent: string };

/**
 * Provides a session from a public client's tokens in this page. To send each refresh token only once, tabs that share
 * tokens refresh one at a time, and each first checks for another tab's newer tokens.
 *
 * @param options.name the session's key, unique among the site's clients.
 * @param options.canReturn true if a sign-in by redirect may have left tokens for this page.
 * @param options.receive called when another tab changed the session.
 */
export function createStandaloneProvider(
  service: TimedService,
  options: {
    storage: TokenStorage;
    name: string;
    tabs: TabChannel;
    canReturn: boolean;
    receive: (result: SessionResult) => void;
  },
): SessionProvider {
  const { storage, name, tabs, canReturn, receive } = options;
  const kept: TokenStore =
    storage === 'memory'
      ? createMemoryStore(canReturn ? parseTokens(takeValue(name)) : undefined)
      : createWebStore(storage, name);
  let current: SignedIn | undefined;
  let currentTokens: StoredTokens | undefined;
  /** The last access token that this page deleted. If another tab refreshes that pair, this page ignores the result. */
  let deleted: string | undefined;
  /** When this page last deleted tokens, in milliseconds since the epoch. Messages from before may still arrive. */
  let deletedAt = 0;

  /** @param known the access token that this page knew when the renewal started. */
  async function read(
    known: string | undefined,
    isCheck: boolean,
    signal: AbortSignal,
  ): Promise<SessionResult> {
    const stored = kept.read();
    if (!stored) return { type: 'session-absent' };
    const isFresh = service.clock.now() < stored.renewAt;
    const isKnown = stored.accessToken === currentTokens?.accessToken;
    if (current && isFresh && isKnown && stored.accessToken !== known) return signedIn(current);
    // Unknown tokens come from another tab or the page before this one. Without a refresh token, only read the account.
    if (isFresh && (isCheck || !isKnown || !stored.refreshToken)) {
      try {
        const account = await fetchAccount(service, stored, signal);
        return isStored(stored) ? signedIn(setSession(account, stored)) : currentResult();
      } catch (error) {
        if (!isOAuthClientError(error) || error.code !== 'invalid_token') throw error;
      }
    }
    return refresh(stored, signal);
  }

  async function refresh(spent: StoredTokens, signal: AbortSignal): Promise<SessionResult> {
    const { refreshToken, scopes } = spent;
    if (!refreshToken) return expire(spent);
    const requestedAt = service.clock.now();
    let tokens: StoredTokens;
    try {
      tokens = withRenewal(await refreshTokenSet(service, { refreshToken, scopes, signal }), requestedAt);
    } catch (error) {
      if (!isOAuthClientError(error) || error.code !== 'invalid_grant') throw error;
      return expire(spent);
    }
    signal.throwIfAborted();
    if (!isStored(spent)) return currentResult();
    kept.write(tokens);
    const account = await fetchAccount(service, tokens, signal).catch((error: unknown) => {
      const known = current;
      if (!known || signal.aborted) throw error;
      // The refresh itself succeeded, so keep the known account, but without memberships that have ended since.
      const now = service.clock.now();
      const memberships = known.memberships?.filter((one) => !(Date.parse(one.validUntil ?? '') <= now));
      return { ...known, memberships };
    });
    if (!isStored(tokens)) return currentResult();
    const session = setSession(account, tokens);
    postChange(session, tokens, spent.accessToken);
    return signedIn(session);
  }

  /** Deletes tokens that the service no longer accepts: rotated, revoked or expired. */
  function expire(spent: StoredTokens): SessionResult {
    if (!isStored(spent)) return currentResult();
    if (!kept.isPrivate) tabs.postMessage({ type: 'expired', spent: spent.accessToken });
    deleteTokens();
    return { type: 'session-ended' };
  }

  /** Applies another tab's message. Returns `undefined` if it doesn't concern this tab's tokens. */
  function take(message: TabMessage): SessionResult | undefined {
    if (message.type === 'signed-out') {
      deleteTokens();
      return { type: 'session-absent' };
    }
    if (kept.isPrivate) return undefined;
    const stored = kept.read();
    if (message.type === 'expired') {
      if (stored && stored.accessToken !== message.spent) return undefined;
      deleteTokens();
      return { type: 'session-ended' };
    }
    const { session, spent, tokens } = message;
    const isDeleted =
      (deleted && [spent, tokens.accessToken].includes(deleted)) ||
      (session.readAt <= deletedAt && !isStored(tokens));
    if (message.storage !== storage || isDeleted) return undefined;
    if (storage === 'session') {
      if (stored?.accessToken !== spent) return undefined;
      kept.write(tokens);
    }
    // Local storage may still show the old tokens: another tab's write can become visible after its message.
    return signedIn(setSession(session, tokens));
  }

  function setSession({ user, memberships, readAt }: Account, tokens: StoredTokens): SignedIn {
    const { expiresAt, renewAt } = tokens;
    currentTokens = tokens;
    current = { user, memberships, readAt, expiresAt, renewAt, endsAt: expiresAt };
    return current;
  }

  function postChange(session: SignedIn, tokens: StoredTokens, spent?: string): void {
    if (kept.isPrivate) return;
    tabs.postMessage({ type: 'changed', storage, session, spent, tokens });
  }

  function deleteTokens(): void {
    deleted = kept.read()?.accessToken ?? deleted;
    deletedAt = service.clock.now();
    kept.write(undefined);
    current = undefined;
  }

  function isStored({ accessToken }: TokenSet): boolean {
    return kept.read()?.accessToken === accessToken;
  }

  /** Returns the session after a sign-out or a new sign-in replaced the tokens of a running request. */
  function currentResult(): SessionResult {
    return kept.read() && current ? signedIn(current) : { type: 'session-absent' };
  }

  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    const result = take(data);
    if (result) receive(result);
  };

  return {
    /** Kept in localStorage, for all tabs of the site and for later visits. */
    get hasSignedOut(): boolean {
      return readValue('local', `${name}:out`) !== undefined;
    },

    get mayHaveSession(): boolean {
      return kept.read() !== undefined;
    },

    async exchange(grant: CodeGrant, signal: AbortSignal): Promise<SignedIn> {
      const explained = { ...service, fetch: corsFetch(service.fetch) };
      const requestedAt = service.clock.now();
      const tokens = withRenewal(await exchangeCode(explained, { ...grant, signal }), requestedAt);
      const account = await fetchAccount(explained, tokens, signal);
      signal.throwIfAborted();
      kept.write(tokens);
      writeValue('local', `${name}:out`, undefined);
      const session = setSession(account, tokens);
      if (storage === 'local') postChange(session, tokens);
      return session;
    },

    renew(signal: AbortSignal, isCheck = false): Promise<SessionResult> {
      // Don't use the stored token: another tab may have just stored it, and its message hasn't arrived yet.
      const known = currentTokens?.accessToken;
      const work = () => read(known, isCheck, signal);
      return kept.isPrivate ? work() : exclusive(name, work, signal);
    },

    /** Deletes the tokens. A public client cannot revoke them (spec, "POST /oauth/revoke"). */
    async signOut(): Promise<void> {
      deleteTokens();
      writeValue('local', `${name}:out`, {});
      tabs.postMessage({ type: 'signed-out' });
    },

    accessToken(): string | undefined {
      return (kept.read() ?? (current && currentTokens))?.accessToken;
    },

    saveForNextPage(): void {
      if (storage === 'memory') writeValue('session', name, kept.read());
    },
  };
}

function signedIn(session: SignedIn): SessionResult {
  return { type: 'session-found', session };
}

/**
 * Schedules the refresh ahead of the expiry: clocks differ, and responses take time. Without a refresh token, the
 * session ends with the access token.
 */
function withRenewal(tokens: TokenSet, requestedAt: number): StoredTokens {
  const { refreshToken, expiresAt } = tokens;
  const lead = refreshToken ? Math.min(MAX_LEAD_MS, (expiresAt - requestedAt) / 10) : 0;
  return { ...tokens, renewAt: expiresAt - lead };
}

/**
 * Runs the work while no other tab does under the same name. Without the Web Locks API, runs it right away.
 * @throws OAuthClientError `timeout` if another tab holds the lock for too long.
 */
async function exclusive<Result>(
  name: string,
  work: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  if (!navigator.locks) return work();
  const timeout = AbortSignal.timeout(LOCK_TIMEOUT_MS);
  let started = false;
  try {
    return await navigator.locks.request(name, { signal: AbortSignal.any([signal, timeout]) }, () => {
      started = true;
      return work();
    });
  } catch (cause) {
    if (started || signal.aborted) throw cause;
    // The browser denies locks on this page.
    if (!timeout.aborted) return work();
    throw new OAuthClientError('timeout', 'Another tab is still refreshing this session.', { cause });
  }
}
