import type { TokenSet } from '@latchkey/oauth';
import { readValue, type StorageArea } from '../browser/tabs.js';
import { writeValue } from '../browser/write-value.js';

export interface StoredTokens extends TokenSet {
  /** Time of the next refresh, in milliseconds since the epoch. */
  renewAt: number;
}

export interface TokenStore {
  /** True if no other page can read the tokens. */
  readonly isPrivate: boolean;
  read(): StoredTokens | undefined;
  /** `undefined` deletes the stored tokens. */
  write(tokens: StoredTokens | undefined): void;
}

/**
 * Where tokens are stored:
 *
 * - `memory`: this page's memory. A reload loses them;
 * - `session`: this tab's sessionStorage. They survive a reload;
 * - `local`: localStorage. All tabs of the site share them, and they survive a restart.
 *
 * Any script on the site can read the last two.
 */
export type TokenStorage = 'memory' | StorageArea;

export function createMemoryStore(stored?: StoredTokens): TokenStore {
  return {
    isPrivate: true,
    read: () => stored,
    write: (tokens) => {
      stored = tokens;
    },
  };
}

/** Stores tokens in web storage, or in memory if the storage is full or the browser denies access. */
export function createWebStore(area: StorageArea, name: string): TokenStore {
  /** Tokens that the storage didn't accept. */
  let unstored: StoredTokens | undefined;
  return {
    get isPrivate() {
      return unstored !== undefined;
    },
    read: () => unstored ?? parseTokens(readValue(area, name)),
    write(tokens) {
      unstored = writeValue(area, name, tokens) ? undefined : tokens;
      // Don't leave the old tokens in the storage.
      if (unstored) writeValue(area, name, undefined);
    },
  };
}

/** Returns stored tokens, or `undefined` if they're malformed. Any script on the site can have written them. */
export function parseTokens(stored: unknown): StoredTokens | undefined {
  const { accessToken, refreshToken, expiresAt, renewAt, scopes } = Object(stored);
  return [accessToken, refreshToken ?? ''].every((token) => typeof token === 'string') &&
    [expiresAt, renewAt].every(Number.isFinite) &&
    Array.isArray(scopes)
    ? { accessToken, refreshToken, expiresAt, renewAt, scopes }
    : undefined;
}
