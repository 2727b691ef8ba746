import { isOAuthClientError, type TokenSet } from '@latchkey/oauth';
import { readValue, TabChannel, takeValue, writeValue } from '../browser/tabs.js';
import type { Account } from '../sign-in/account-requests.js';
import { loadRest } from '../sign-in/load-rest.js';
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

/** Longest time before its expiry, in milliseconds, at which a token is refreshed. */
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
 * Provides a session from a public client's tokens in this page. Tabs that share tokens refresh one at a time, and each
 * first checks for newer tokens of another tab, so that a refresh token is sent only once.
 */
export class StandaloneProvider implements SessionProvider {
  readonly #service: TimedService;
  readonly #storage: TokenStorage;
  readonly #name: string;
  readonly #tokens: TokenStore;
  readonly #tabs: TabChannel<TabMessage>;
  #session: SignedIn | undefined;
  #sessionTokens: StoredTokens | undefined;
  /** The access token that this page deleted. Tokens that another tab refreshes from its pair are ignored. */
  #deleted: string | undefined;
  /** Time at which this page last deleted tokens. Changes from before may still arrive. */
  #deletedAt = 0;

  /**
   * @param options.name identifies the session among those of the site's other clients.
   * @param options.canReturn true if a sign-in by redirect may have left tokens for this page.
   */
  constructor(
    service: TimedService,
    { storage, name, canReturn }: { storage: TokenStorage; name: string; canReturn: boolean },
  ) {
    this.#service = service;
    this.#storage = storage;
    this.#name = name;
    this.#tokens =
      storage === 'memory'
        ? createMemoryStore(canReturn ? parseTokens(takeValue(name)) : undefined)
        : createWebStore(storage, name);
    this.#tabs = new TabChannel(name);
  }

  /** All tabs of the site share it, and later visits. */
  get hasSignedOut(): boolean {
    return readValue('local', `${this.#name}:out`) !== undefined;
  }

  get mayHaveSession(): boolean {
    return this.#tokens.read() !== undefined;
  }

  async exchange(grant: CodeGrant, signal: AbortSignal): Promise<SignedIn> {
    const { corsFetch, exchangeCode, fetchAccount } = await this.#loadRest();
    const service = { ...this.#service, fetch: corsFetch(this.#service.fetch) };
    const requestedAt = service.clock.now();
    const tokens = withRenewal(await exchangeCode(service, { ...grant, signal }), requestedAt);
    const account = await fetchAccount(service, tokens, signal);
    signal.throwIfAborted();
    this.#tokens.write(tokens);
    writeValue('local', `${this.#name}:out`, undefined);
    const session = this.#setSession(account, tokens);
    if (this.#storage === 'local') this.#postChange(session, tokens);
    return session;
  }

  renew(signal: AbortSignal, isCheck = false): Promise<SessionResult> {
    // Not the stored token: another tab may have stored it a moment ago, and not have posted its message yet.
    const known = this.#sessionTokens?.accessToken;
    const read = () => this.#read(known, isCheck, signal);
    return this.#tokens.isPrivate ? read() : this.#tabs.exclusive(read, signal);
  }

  /** Deletes the tokens. A public client cannot revoke them (spec, "POST /oauth/revoke"). */
  async signOut(): Promise<void> {
    this.#delete();
    writeValue('local', `${this.#name}:out`, {});
    this.#tabs.post({ type: 'signed-out' });
  }

  accessToken(): string | undefined {
    return (this.#tokens.read() ?? (this.#session && this.#sessionTokens))?.accessToken;
  }

  saveForNextPage(): void {
    if (this.#storage === 'memory') writeValue('session', this.#name, this.#tokens.read());
  }

  listen(listener: (result: SessionResult) => void): void {
    this.#tabs.listen((message) => {
      const result = this.#receive(message);
      if (result) listener(result);
    });
  }

  close(): void {
    this.#tabs.close();
  }

  /** @param known the access token that this page knew when the renewal started. */
  async #read(known: string | undefined, isCheck: boolean, signal: AbortSignal): Promise<SessionResult> {
    const stored = this.#tokens.read();
    if (!stored) return { type: 'session-absent' };
    const isFresh = this.#service.clock.now() < stored.renewAt;
    const isKnown = stored.accessToken === this.#sessionTokens?.accessToken;
    if (this.#session && isFresh && isKnown && stored.accessToken !== known) return signedIn(this.#session);
    // Another tab, or the page before this one, stored unknown tokens. Without a refresh token, only the account can be read.
    if (isFresh && (isCheck || !isKnown || !stored.refreshToken)) {
      try {
        const account = await this.#fetchAccount(stored, signal);
        return this.#isStored(stored) ? signedIn(this.#setSession(account, stored)) : this.#current();
      } catch (error) {
        if (!isOAuthClientError(error) || error.code !== 'invalid_token') throw error;
      }
    }
    return this.#refresh(stored, signal);
  }

  async #refresh(spent: StoredTokens, signal: AbortSignal): Promise<SessionResult> {
    const { refreshToken, scopes } = spent;
    if (!refreshToken) return this.#expire(spent);
    const { refreshTokenSet } = await this.#loadRest();
    const requestedAt = this.#service.clock.now();
    let tokens: StoredTokens;
    try {
      tokens = withRenewal(
        await refreshTokenSet(this.#service, { refreshToken, scopes, signal }),
        requestedAt,
      );
    } catch (error) {
      if (!isOAuthClientError(error) || error.code !== 'invalid_grant') throw error;
      return this.#expire(spent);
    }
    signal.throwIfAborted();
    if (!this.#isStored(spent)) return this.#current();
    this.#tokens.write(tokens);
    const account = await this.#fetchAccount(tokens, signal).catch((error: unknown) => {
      const known = this.#session;
      if (!known || signal.aborted) throw error;
      // The refresh succeeded. The known account is at most an hour old, but a membership that ended since must not come back.
      const now = this.#service.clock.now();
      const memberships = known.memberships?.filter((one) => !(Date.parse(one.validUntil ?? '') <= now));
      return { ...known, memberships };
    });
    if (!this.#isStored(tokens)) return this.#current();
    const session = this.#setSession(account, tokens);
    this.#postChange(session, tokens, spent.accessToken);
    return signedIn(session);
  }

  /** Deletes tokens that the service no longer accepts: rotated, revoked or expired. */
  #expire(spent: StoredTokens): SessionResult {
    if (!this.#isStored(spent)) return this.#current();
    if (!this.#tokens.isPrivate) this.#tabs.post({ type: 'expired', spent: spent.accessToken });
    this.#delete();
    return { type: 'session-ended' };
  }

  #receive(message: TabMessage): SessionResult | undefined {
    if (message.type === 'signed-out') {
      this.#delete();
      return { type: 'session-absent' };
    }
    if (this.#tokens.isPrivate) return undefined;
    const stored = this.#tokens.read();
    if (message.type === 'expired') {
      if (stored && stored.accessToken !== message.spent) return undefined;
      this.#delete();
      return { type: 'session-ended' };
    }
    const { session, spent, tokens, storage } = message;
    const isDeleted =
      (this.#deleted && [spent, tokens.accessToken].includes(this.#deleted)) ||
      (session.readAt <= this.#deletedAt && !this.#isStored(tokens));
    if (storage !== this.#storage || isDeleted) return undefined;
    if (storage === 'session') {
      if (stored?.accessToken !== spent) return undefined;
      this.#tokens.write(tokens);
    }
    // Local storage may still show the old tokens: another tab's write can become visible after its message.
    return signedIn(this.#setSession(session, tokens));
  }

  async #fetchAccount(tokens: TokenSet, signal: AbortSignal): Promise<Account> {
    const { fetchAccount } = await this.#loadRest();
    return await fetchAccount(this.#service, tokens, signal);
  }

  #loadRest() {
    return loadRest(this.#service.serviceUrl);
  }

  #setSession({ user, memberships, readAt }: Account, tokens: StoredTokens): SignedIn {
    const { expiresAt, renewAt } = tokens;
    this.#sessionTokens = tokens;
    this.#session = { user, memberships, readAt, expiresAt, renewAt, endsAt: expiresAt };
    return this.#session;
  }

  #postChange(session: SignedIn, tokens: StoredTokens, spent?: string): void {
    if (this.#tokens.isPrivate) return;
    this.#tabs.post({ type: 'changed', storage: this.#storage, session, spent, tokens });
  }

  #delete(): void {
    this.#deleted = this.#tokens.read()?.accessToken ?? this.#deleted;
    this.#deletedAt = this.#service.clock.now();
    this.#tokens.write(undefined);
    this.#session = undefined;
  }

  #isStored({ accessToken }: TokenSet): boolean {
    return this.#tokens.read()?.accessToken === accessToken;
  }

  /** The session after a sign-out or a new sign-in replaced the tokens of the running request. */
  #current(): SessionResult {
    return this.#tokens.read() && this.#session ? signedIn(this.#session) : { type: 'session-absent' };
  }
}

function signedIn(session: SignedIn): SessionResult {
  return { type: 'session-found', session };
}

/**
 * Schedules the refresh ahead of the expiry, because clocks differ and responses take time. Without a refresh token, the
 * session ends with the access token.
 */
function withRenewal(tokens: TokenSet, requestedAt: number): StoredTokens {
  const { refreshToken, expiresAt } = tokens;
  const lead = refreshToken ? Math.min(MAX_LEAD_MS, (expiresAt - requestedAt) / 10) : 0;
  return { ...tokens, renewAt: expiresAt - lead };
}
