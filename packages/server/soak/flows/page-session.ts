import { BASE_URL } from '../world/processes.ts';
import type { Caller, Reply } from './caller.ts';

/** Browser of a user: the service's pages, with cookies. */
export interface PageSession {
  get(path: string): Promise<Reply>;
  /** Submits a form from one of the service's own pages. */
  post(path: string, fields: Record<string, string>): Promise<Reply>;
}

/** Creates a browser without cookies. */
export function createPageSession({ send }: Pick<Caller, 'send'>): PageSession {
  const cookies = new Map<string, string>();
  const request = async (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set('accept', 'text/html');
    headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const reply = await send(path, { ...init, headers });
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  };
  return {
    get: (path) => request(path, {}),
    post: (path, fields) =>
      request(path, {
        method: 'POST',
        headers: { origin: BASE_URL, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams(fields),
      }),
  };
}

/** Signs a user in with a mailed code. Returns undefined if a fault prevented it. */
export async function signIn(caller: Caller, email: string): Promise<PageSession | undefined> {
  const browser = createPageSession(caller);
  const since = Date.now();
  const asked = await browser.post('/sign-in/code', { email, continue: '/account' });
  if (asked.status !== 303) return undefined;
  const code = await caller.world.codeFor(email, since);
  if (code === undefined) return undefined;
  const verified = await browser.post('/sign-in/verify', { code, continue: '/account' });
  return verified.status === 303 && locationOf(verified) === '/account' ? browser : undefined;
}

/** Address of a redirect. */
export function locationOf({ headers }: Reply): string {
  return headers.get('location') ?? '';
}

/** Value of a hidden field of a page. */
export function hiddenField({ body }: Reply, name: string): string | undefined {
  const { text = '' } = body as { text?: string };
  const pattern = new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`);
  return pattern.exec(text)?.[1]?.replaceAll('&amp;', '&');
}
