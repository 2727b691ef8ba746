/** Query parameters; null removes one. */
export type PlaceChange = Readonly<Record<string, string | null>>;

/** The query of the page's URL: filters and the selected entry. Each state of a view has a URL. */
export class Place {
  readonly #listeners = new Set<() => void>();

  constructor() {
    addEventListener('popstate', () => {
      for (const listener of [...this.#listeners]) listener();
    });
  }

  get(name: string): string {
    return new URLSearchParams(location.search).get(name) ?? '';
  }

  replace(change: PlaceChange): void {
    history.replaceState(null, '', addressOf(change));
  }

  /** Changes parameters, as a new entry in the browser's history. */
  push(change: PlaceChange): void {
    const address = addressOf(change);
    if (address !== `${location.pathname}${location.search}`) history.pushState(null, '', address);
  }

  /** Calls the listener after the browser went back or forward. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

function addressOf(change: PlaceChange): string {
  const search = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(change)) {
    if (value === null || value === '') search.delete(name);
    else search.set(name, value);
  }
  return `${location.pathname}${search.size === 0 ? '' : `?${search}`}`;
}
