import type { Network } from './network.ts';
import { SITE } from './simulated-browser.ts';

/** Browser of the site's visitor, as the site sees it: one set of cookies for all pages. */
export class SiteVisitor {
  readonly #network: Pick<Network, 'fetchOf'>;
  readonly #cookies = new Map<string, string>();
  /** Sender of requests that no page waits for. */
  readonly #sender = {};

  constructor(network: Pick<Network, 'fetchOf'>) {
    this.#network = network;
  }

  /** The `fetch` of a page, with the cookies of its browser. */
  fetchOf(page: object): typeof fetch {
    const send = this.#network.fetchOf(page);
    return (input, init = {}) => {
      const headers = new Headers(init.headers);
      headers.set('cookie', [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      headers.set('sec-fetch-site', 'same-origin');
      return send(new URL(String(input), SITE), { ...init, headers });
    };
  }

  /** Opens the page for members. */
  visit(): void {
    const send = this.fetchOf(this.#sender);
    void send('/members', { headers: { accept: 'application/json' } }).catch(() => undefined);
  }

  /** Stores the cookies of a response that the browser received. */
  receive(setCookie: readonly string[]): void {
    for (const line of setCookie) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
