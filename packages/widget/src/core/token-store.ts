import type { TokenSet } from '@latchkey/oauth';

/** Where a standalone session keeps its tokens. */
export interface TokenStore {
  read(): TokenSet | undefined;
  /** `undefined` forgets them. */
  write(tokens: TokenSet | undefined): void;
}

/** Keeps the tokens in this page's memory: they end with the page, and no script finds them in a storage. */
export function createMemoryStore(): TokenStore {
  let kept: TokenSet | undefined;
  return {
    read: () => kept,
    write: (tokens) => {
      kept = tokens;
    },
  };
}
