import type { TokenSet } from '@latchkey/oauth';

/** The tokens of a standalone session as they are kept. */
export interface KeptTokens extends TokenSet {
  /** When to refresh them, in milliseconds since the epoch. */
  renewAt: number;
}

/** Where a standalone session keeps its tokens. */
export interface TokenStore {
  read(): KeptTokens | undefined;
  /** `undefined` forgets them. */
  write(tokens: KeptTokens | undefined): void;
}

/**
 * Where tokens live: in this page's `memory`; in this tab's `session` storage, which a reload survives; or in `local`
 * storage, which all tabs of the site share and a restart survives. Whatever script runs on the site can read the two
 * storages.
 */
export type TokenStorage = 'memory' | 'session' | 'local';

/** Keeps the tokens in this page's memory: they end with the page, and no script finds them in a storage. */
export function createMemoryStore(kept?: KeptTokens): TokenStore {
  return {
    read: () => kept,
    write: (tokens) => {
      kept = tokens;
    },
  };
}

/** Keeps the tokens in a storage of the browser; in memory where the browser gives none. */
export function createWebStore(kind: 'session' | 'local', name: string): TokenStore {
  const inMemory = createMemoryStore();
  return {
    read() {
      try {
        return asTokens(storageOf(kind).getItem(name));
      } catch {
        return inMemory.read();
      }
    },
    write(tokens) {
      inMemory.write(tokens);
      keep(kind, name, tokens);
    },
  };
}

/** Puts a value into a storage, or takes it out. Whether the browser lets it: storage can be full, or forbidden. */
export function keep(kind: 'session' | 'local', name: string, value: object | undefined): boolean {
  try {
    if (value) storageOf(kind).setItem(name, JSON.stringify(value));
    else storageOf(kind).removeItem(name);
    return true;
  } catch {
    return false;
  }
}

/** Takes a value out of this tab's storage: it can be taken once. */
export function takeOnce(name: string): object | undefined {
  try {
    const text = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    return text ? Object(JSON.parse(text)) : undefined;
  } catch {
    return undefined;
  }
}

/** Reading the property alone throws where the visitor forbids storage. */
function storageOf(kind: 'session' | 'local'): Storage {
  return kind === 'local' ? localStorage : sessionStorage;
}

/** Any script of the site can have written there. */
export function asTokens(kept: string | object | null | undefined): KeptTokens | undefined {
  let value: unknown = kept;
  try {
    if (typeof kept === 'string') value = JSON.parse(kept);
  } catch {
    return undefined;
  }
  const { accessToken, refreshToken, expiresAt, renewAt, scopes } = Object(value);
  return [accessToken, refreshToken].every((token) => typeof token === 'string') &&
    [expiresAt, renewAt].every(Number.isFinite) &&
    Array.isArray(scopes)
    ? { accessToken, refreshToken, expiresAt, renewAt, scopes }
    : undefined;
}
