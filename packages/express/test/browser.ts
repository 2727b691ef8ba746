/** Parts of a response that tests check. */
export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
  /** The parsed JSON body. */
  json: Record<string, unknown>;
}

export interface BrowserRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Follow redirects to the end, as a navigation does. Default: the first answer. */
  follow?: boolean;
}

interface Cookie {
  value: string;
  path: string;
  header: string;
}

export const NAVIGATION = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** A browser with one cookie jar for one host. It follows redirects and respects cookie paths. */
export class Browser {
  readonly cookies = new Map<string, Cookie>();
  /** Target addresses by `host:port`, so that an app can use a public address. */
  readonly hosts = new Map<string, string>();

  async open(url: string, request: BrowserRequest = {}): Promise<Page> {
    return this.request(url, { follow: true, ...request, headers: { ...NAVIGATION, ...request.headers } });
  }

  async request(url: string, request: BrowserRequest = {}): Promise<Page> {
    let address = new URL(url);
    let page = await this.#once(address, request);
    for (let hops = 0; request.follow === true && hops < 10; hops += 1) {
      const location = page.headers.get('location');
      if (location === null) break;
      address = new URL(location, address);
      const { accept } = { accept: '*/*', ...request.headers };
      page = await this.#once(address, { headers: { accept } });
    }
    return page;
  }

  async #once(address: URL, { method = 'GET', headers = {}, body }: BrowserRequest): Promise<Page> {
    const cookie = this.headerFor(address.pathname);
    const target = this.hosts.get(address.host);
    const response = await fetch(
      target === undefined ? address : new URL(`${address.pathname}${address.search}`, target),
      {
        method,
        redirect: 'manual',
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          // Node sends the host of the target, as a proxy does.
          ...(target === undefined ? {} : { 'x-forwarded-host': address.host }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      },
    );
    for (const header of response.headers.getSetCookie()) this.#keep(header);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json') === true;
    return {
      url: address.href,
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : {},
    };
  }

  headerFor(path: string): string {
    return [...this.cookies]
      .filter(([, cookie]) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ');
  }

  #keep(header: string): void {
    const [pair = '', ...attributes] = header.split('; ');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    const attribute = (key: string) =>
      attributes.find((each) => each.startsWith(`${key}=`))?.slice(key.length + 1);
    this.cookies.delete(name);
    if (attribute('Max-Age') === '0') return;
    this.cookies.set(name, { value, path: attribute('Path') ?? '/', header });
  }
}
