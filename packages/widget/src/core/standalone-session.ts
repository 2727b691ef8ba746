import {
  exchangeCode,
  fetchMemberships,
  fetchUserIdentity,
  isOAuthClientError,
  type OAuthService,
  refreshTokenSet,
  type TokenSet,
} from '@latchkey/oauth';
import type { RenewalOutcome, SessionKeeper, SignedIn } from './session-keeper.js';
import { joinTabs, type TabSync } from './tab-sync.js';
import {
  asTokens,
  createMemoryStore,
  createWebStore,
  type KeptTokens,
  keep,
  type TokenStorage,
  takeOnce,
} from './token-store.js';
import type { TimeSource } from './wake-up.js';

const LONGEST_SKEW_MS = 60_000;

/** What the service says of who holds a token. */
type Described = Pick<SignedIn, 'user' | 'memberships' | 'readAt'>;

/** What one tab tells the others. */
type Told =
  /** The tokens were replaced; `spent` is the refresh token that they came from, `undefined` after a sign-in. */
  | {
      type: 'changed';
      storage: TokenStorage;
      session: SignedIn;
      spent: string | undefined;
      tokens: KeptTokens;
    }
  | { type: 'signed-out' }
  | { type: 'expired'; spent: string };

export interface StandaloneOptions extends Pick<TimeSource, 'clock'> {
  storage: TokenStorage;
  /** Names the session among those of the site's other clients. */
  name: string;
}

/**
 * A session that lives in the browser: a public client's tokens, refreshed here, forgotten at sign-out. Tabs that share
 * tokens refresh one at a time, and each looks first whether another one has: a refresh token is sent once.
 */
export function createStandaloneSession(
  service: OAuthService,
  { clock, storage, name }: StandaloneOptions,
): SessionKeeper {
  const inMemory = storage === 'memory';
  const store = inMemory ? createMemoryStore(asTokens(takeOnce(name))) : createWebStore(storage, name);
  const tabs: TabSync<Told> = joinTabs(name);
  let latest: SignedIn | undefined;
  /** The tokens beside which `latest` was learnt. */
  let described: KeptTokens | undefined;
  /** The refresh token that this page forgot: what another tab made of it meanwhile is forgotten with it. */
  let forgotten: string | undefined;

  async function describe(tokens: TokenSet, signal: AbortSignal): Promise<Described> {
    const request = { accessToken: tokens.accessToken, signal };
    const readAt = clock.now();
    const [user, memberships] = await Promise.all([
      fetchUserIdentity(service, request),
      tokens.scopes.includes('memberships.read') ? fetchMemberships(service, request) : undefined,
    ]);
    return { user, memberships, readAt };
  }

  /** A clock that is a little off, or a slow answer, must not leave a gap without a token. */
  function dated(tokens: TokenSet, askedAt: number): KeptTokens {
    const { expiresAt } = tokens;
    return { ...tokens, renewAt: expiresAt - Math.min(LONGEST_SKEW_MS, (expiresAt - askedAt) / 10) };
  }

  function settle(known: Described, tokens: KeptTokens): SignedIn {
    const { expiresAt, renewAt } = tokens;
    const { user, memberships, readAt } = known;
    described = tokens;
    latest = { user, memberships, readAt, expiresAt, renewAt, endsAt: expiresAt };
    return latest;
  }

  function tell(session: SignedIn, tokens: KeptTokens, spent?: string): void {
    // Pages that keep their tokens in memory have their own; a duplicated tab has a copy of this one's.
    if (!inMemory) {
      tabs.tell({ type: 'changed', storage, session, spent, tokens });
    }
  }

  function forget(): void {
    forgotten = store.read()?.refreshToken ?? forgotten;
    store.write(undefined);
    latest = undefined;
  }

  /** Signed out, or in anew, while an answer was under way: what it brings belongs to nobody. */
  function replaced(): SignedIn | 'signed-out' {
    return (store.read() && latest) ?? 'signed-out';
  }

  const isHeld = ({ refreshToken }: TokenSet) => store.read()?.refreshToken === refreshToken;

  /** @param known the refresh token that this page knew of when it wanted to look; another tab may have been faster. */
  async function look(known: string | undefined, signal: AbortSignal): Promise<RenewalOutcome> {
    const kept = store.read();
    if (!kept) return 'signed-out';
    const isFresh = clock.now() < kept.renewAt;
    const isDescribed = kept.refreshToken === described?.refreshToken;
    if (latest && isFresh && isDescribed && kept.refreshToken !== known) return latest;
    // Another tab refreshed them, or the page before this one left them.
    if (!isDescribed && isFresh) {
      try {
        const found = await describe(kept, signal);
        return isHeld(kept) ? settle(found, kept) : replaced();
      } catch (error) {
        if (!isOAuthClientError(error) || error.code !== 'invalid_token') throw error;
      }
    }
    return refresh(kept, signal);
  }

  async function refresh(spent: KeptTokens, signal: AbortSignal): Promise<RenewalOutcome> {
    const askedAt = clock.now();
    let tokens: KeptTokens;
    try {
      tokens = dated(await refreshTokenSet(service, { refreshToken: spent.refreshToken, signal }), askedAt);
    } catch (error) {
      if (!isOAuthClientError(error) || error.code !== 'invalid_grant') throw error;
      if (!isHeld(spent)) return replaced();
      // Spent, revoked or past its 30 days: sent once more, it would only fail once more.
      forget();
      if (!inMemory) tabs.tell({ type: 'expired', spent: spent.refreshToken });
      return 'expired';
    }
    signal.throwIfAborted();
    if (!isHeld(spent)) return replaced();
    store.write(tokens);
    const known = await describe(tokens, signal).catch((error: unknown) => {
      // The refresh counts all the same; what was known of the user is at most an hour old.
      if (!latest || signal.aborted) throw error;
      return latest;
    });
    if (!isHeld(tokens)) return replaced();
    const session = settle(known, tokens);
    tell(session, tokens, spent.refreshToken);
    return session;
  }

  function hear(told: Told): RenewalOutcome | undefined {
    const kept = store.read();
    if (told.type === 'signed-out') {
      forget();
      return 'signed-out';
    }
    if (inMemory) return undefined;
    if (told.type === 'expired') {
      if (kept && kept.refreshToken !== told.spent) return undefined;
      forget();
      return 'expired';
    }
    const { session, spent, tokens } = told;
    if (told.storage !== storage || (forgotten && [spent, tokens.refreshToken].includes(forgotten))) {
      return undefined;
    }
    if (storage === 'session') {
      if (kept?.refreshToken !== spent) return undefined;
      store.write(tokens);
    }
    // In local storage, what another tab wrote can be a moment later to be read than what it says.
    return settle(session, tokens);
  }

  return {
    mayHaveSession: store.read() !== undefined,
    async exchange(grant, signal) {
      const askedAt = clock.now();
      const tokens = dated(await exchangeCode(service, { ...grant, signal }), askedAt);
      const known = await describe(tokens, signal);
      signal.throwIfAborted();
      store.write(tokens);
      const session = settle(known, tokens);
      if (storage === 'local') tell(session, tokens);
      return session;
    },
    renew(signal) {
      // Not what the store holds: another tab may have put it there a moment ago, and not have said so yet.
      const known = described?.refreshToken;
      return inMemory ? look(known, signal) : tabs.alone(() => look(known, signal), signal);
    },
    async signOut() {
      // A public client cannot revoke (spec, "POST /oauth/revoke"): forgetting is all it can do.
      forget();
      tabs.tell({ type: 'signed-out' });
    },
    accessToken: () => (store.read() ?? (latest && described))?.accessToken,
    leaveBehind() {
      if (inMemory) keep('session', name, store.read());
    },
    listen(notify) {
      tabs.listen((told) => {
        const outcome = hear(told);
        if (outcome) notify(outcome);
      });
    },
    close: tabs.close,
  };
}
