import type { TokenSet } from '@latchkey/oauth';
import { type StorageArea, storageOf, writeValue } from '../tabs/web-storage.js';

/** The tokens of a standalone session. */
export interface StoredTokens extends TokenSet {
  /** Time of the next refresh, in milliseconds since the epoch. */
  renewAt: number;
}

/** Stores the tokens of a standalone session. */
export interface TokenStore {
  read(): StoredTokens | undefined;
  /** `undefined` deletes the stored tokens. */
  write(tokens: StoredTokens | undefined): void;
}

/**
 * The place where tokens are stored:
 *
 * - `memory`: this page's memory. A reload loses them;
 * - `session`: this tab's sessionStorage. They survive a reload;
 * - `local`: localStorage. All tabs of the site share them, and they survive a restart.
 *
 * Any script on the site can read the last two.
 */
export type TokenStorage = 'memory' | StorageArea;

/** Stores tokens in this page's memory. */
export function createMemoryStore(stored?: StoredTokens): TokenStore {
  return {
    read: () => stored,
    write: (tokens) => {
      stored = tokens;
    },
  };
}

/** Stores tokens in web storage, or in memory if the browser denies access. */
export function createWebStore(area: StorageArea, name: string): TokenStore {
  const memory = createMemoryStore();
  return {
    read() {
      try {
        return parseTokens(storageOf(area).getItem(name));
      } catch {
        return memory.read();
      }
    },
    write(tokens) {
      memory.write(tokens);
      writeValue(area, name, tokens);
    },
  };
}

/** Returns stored tokens, or `undefined` if they are malformed. Any script of the site can have written them. */
export function parseTokens(stored: string | object | null | undefined): StoredTokens | undefined {
  let value: unknown = stored;
  try {
    if (typeof stored === 'string') value = JSON.parse(stored);
  } catch {
    return undefined;
  }
  const { accessToken, refreshToken, expiresAt, renewAt, scopes } = Object(value);
  return [accessToken, refreshToken ?? ''].every((token) => typeof token === 'string') &&
    [expiresAt, renewAt].every(Number.isFinite) &&
    Array.isArray(scopes)
    ? { accessToken, refreshToken, expiresAt, renewAt, scopes }
    : undefined;
}
