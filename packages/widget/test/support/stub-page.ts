import { vi } from 'vitest';

/** Origin of the stubbed page. */
export const SITE = 'https://site.example';

/** Defines the address of the page, as the browser does. `vi.unstubAllGlobals` removes it. */
export function stubPage(address = `${SITE}/club/page?tab=1#top`): void {
  vi.stubGlobal('location', new URL(address));
  vi.stubGlobal('document', { baseURI: address });
}

/**
 * Defines web storage, as the browser does.
 * @param options.deny makes each access throw, as a browser does that forbids storage.
 */
export function stubStorage(name: 'localStorage' | 'sessionStorage', { deny = false } = {}) {
  const stored = new Map<string, string>();
  const use = <Result>(access: () => Result): Result => {
    if (deny) throw new DOMException('denied', 'SecurityError');
    return access();
  };
  vi.stubGlobal(name, {
    getItem: (key: string) => use(() => stored.get(key) ?? null),
    setItem: (key: string, text: string) => use(() => stored.set(key, text)),
    removeItem: (key: string) => use(() => stored.delete(key)),
  });
  return stored;
}
