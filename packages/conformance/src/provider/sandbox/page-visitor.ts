/** Visitor of the sandbox's pages: keeps cookies, submits forms, and stops at redirects to other origins. */
export class PageVisitor {
  readonly #cookies = new Map<string, string>();
  /** Origin of the sandbox. Its forms accept posts from this origin only. */
  readonly #origin: string;
  /** Origin to which the requests go. It differs if a proxy is in front of the sandbox. */
  readonly #address: string;

  constructor(origin: string, address = origin) {
    this.#origin = origin;
    this.#address = address;
  }

  /** Signs in as a user, with the sandbox's own form. */
  async signIn(email: string): Promise<void> {
    await this.post('/sandbox/sign-in', { email });
  }

  get(path: string): Promise<Response> {
    return this.#send(path, {});
  }

  post(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Path of a redirect within the sandbox; `undefined` for another origin and without a redirect. */
  pathOf(response: Response): string | undefined {
    const location = response.headers.get('location');
    if (location === null) return undefined;
    const url = new URL(location, this.#origin);
    return [this.#origin, this.#address].includes(url.origin) ? `${url.pathname}${url.search}` : undefined;
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#address}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', origin: this.#origin, 'sec-fetch-site': 'same-origin', cookie },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** Hidden fields of all forms of a page of the sandbox. */
export function hiddenFields(html: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [input] of html.matchAll(/<input\b[^>]*>/g)) {
    if (!/\btype="hidden"/.test(input)) continue;
    fields[attribute(input, 'name')] = attribute(input, 'value');
  }
  return fields;
}

function attribute(tag: string, name: string): string {
  const [, value = ''] = new RegExp(`\\b${name}="([^"]*)"`).exec(tag) ?? [];
  return value.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
