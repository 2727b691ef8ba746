import { pathsOf } from '@latchkey/contract/constants';
import { isLoopbackHost } from '../command-line/values.js';
import { isClientId, redirectUriCheck } from './client-checks.js';
import type { FindingCode } from './findings.js';
import { type Answer, fieldsOf, shapeOf } from './probe.js';
import { resolve } from './read-page.js';
import type { SiteTarget } from './site-target.js';

/** Origin of an attacker's page. The name can't exist (RFC 2606). */
const FOREIGN_ORIGIN = 'https://latchkey-doctor.invalid';
const KIT_LINK = /^(.*)\/(?:login|logout)(?:[?#]|$)/;

/** Checks each backend on the page, with the requests of a browser without a session. */
export async function backendChecks(target: SiteTarget): Promise<void> {
  for (const backend of backendsOf(target)) {
    if (backend.origin === target.page.url.origin) await sessionChecks(target, backend);
    else
      target.report('backend-other-site', {
        meaning: `backend: must be a path of ${target.page.url.origin}; it is ${backend.href}.`,
        action: 'Set backend to the path where @latchkey/express is mounted, such as /auth.',
      });
  }
}

/** Returns the elements' backends, or if there are none, the one that a link on the page leads to. */
export function backendsOf({ sessions, page }: SiteTarget): URL[] {
  const named = [
    ...sessions.flatMap(({ backend }) => (backend === undefined ? [] : [backend])),
    ...page.elements.flatMap(({ attributes: { backend } }) => {
      const url = backend ? resolve(`${backend.replace(/\/+$/, '')}/`, page.base) : undefined;
      return url === undefined ? [] : [url];
    }),
  ];
  if (named.length === 0) {
    const link = page.links.map((each) => KIT_LINK.exec(each)?.[1]).find((path) => path?.endsWith('/auth'));
    const url = link === undefined ? undefined : resolve(`${link}/`, page.base);
    if (url !== undefined) named.push(url);
  }
  return [...new Map(named.map((url) => [url.href, url])).values()];
}

async function sessionChecks(target: SiteTarget, backend: URL): Promise<void> {
  const url = new URL('session', backend);
  const probe = await target.get(url, { accept: 'application/json' });
  const report = (code: FindingCode, meaning: string, action: string) =>
    target.report(code, { where: url.href, meaning, action });
  if (probe.kind === 'failed') {
    const meaning = `The backend does not answer: ${probe.reason}.`;
    return report('backend-failing', meaning, 'Check that the server runs.');
  }
  const { answer } = probe;
  if (answer.status >= 500) {
    const meaning = `The backend answers with ${shapeOf(answer)}.`;
    return report('backend-failing', meaning, 'Look for the error in the log of your server.');
  }
  if (answer.status !== 200 || typeof fieldsOf(answer.json).signedIn !== 'boolean') {
    return report(
      'backend-not-mounted',
      `@latchkey/express is not mounted here: the answer is ${shapeOf(answer)}.`,
      'Add app.use(auth.router) without a path, before routes that answer all addresses or demand a sign-in. Compare backend with mountPath, and check that the proxy passes the path on.',
    );
  }
  caching(target, answer, url);
  await crossOrigin(target, url);
  await loginChecks(target, backend);
}

function caching(target: SiteTarget, { headers }: Answer, url: URL): void {
  const control = headers.get('cache-control') ?? '';
  const isCached = Number(headers.get('age') ?? 0) > 0;
  if (/\b(?:no-store|private)\b/i.test(control) && !isCached) return;
  const meaning = isCached
    ? 'A cache answered this request. Visitors can receive the session of others.'
    : `The session is sent with Cache-Control: ${control || '(none)'}. A cache can send it to other visitors.`;
  const action =
    'Let the proxy and the CDN pass the header Cache-Control: no-store of the kit on, and cache nothing below this path.';
  target.report('session-cacheable', { where: url.href, meaning, action });
}

async function crossOrigin(target: SiteTarget, url: URL): Promise<void> {
  const probe = await target.get(url, { accept: 'application/json', origin: FOREIGN_ORIGIN });
  if (probe.kind === 'failed') return;
  const { headers } = probe.answer;
  const allowed = headers.get('access-control-allow-origin');
  if (allowed !== '*' && allowed !== FOREIGN_ORIGIN) return;
  const withCookies = headers.get('access-control-allow-credentials') === 'true' && allowed !== '*';
  target.report('cors-wide-open', {
    where: url.href,
    meaning: withCookies
      ? 'CORS headers let pages of every site read the session of your visitors.'
      : 'CORS headers let pages of every site read answers of the backend.',
    action:
      'Remove the CORS middleware from this path. The widget calls the backend from its own origin, and needs none.',
  });
}

const PROXY = 'The kit sets this itself. Look for a proxy or a middleware that rewrites Set-Cookie';
const OWN_COOKIE = /^(?:__Host-|__Secure-)?latchkey_/;

/** Starts a sign-in by redirect, without following it, and checks where it leads and its cookies. */
async function loginChecks(target: SiteTarget, backend: URL): Promise<void> {
  const login = new URL('login?returnTo=/', backend);
  const first = await redirectOf(target, login);
  if (first === undefined) return;
  const { answer, location } = first;
  if (!isMoved(location, login)) return await redirectChecks(target, { answer, location, login });
  if (location.origin !== login.origin) return reportAppUrl(target, location.origin);
  // If a proxy replaces the Host header, the kit redirects to its own URL once, which a browser follows.
  const second = await redirectOf(target, location);
  if (second !== undefined) await redirectChecks(target, { ...second, login });
}

/** Returns the response, and where it leads if it's a redirect. */
async function redirectOf(target: SiteTarget, login: URL) {
  const probe = await target.get(login, { accept: 'text/html' });
  if (probe.kind === 'failed') return undefined;
  const { answer } = probe;
  const location = answer.headers.get('location');
  const isRedirect = answer.status === 302 && location !== null;
  return { answer, location: isRedirect ? resolve(location, login) : undefined };
}

/** True if the kit redirects to the same path on `appUrl`'s host. */
function isMoved(location: URL | undefined, login: URL): location is URL {
  return location?.pathname === login.pathname && location.searchParams.has('moved');
}

async function redirectChecks(
  target: SiteTarget,
  { answer, location, login }: { answer: Answer; location: URL | undefined; login: URL },
): Promise<void> {
  if (location === undefined) {
    return target.report('backend-not-mounted', {
      where: login.href,
      meaning: `A sign-in does not lead to the service: ${shapeOf(answer)}.`,
      action: 'Check that app.use(auth.router) answers this path, and that the proxy passes redirects on.',
    });
  }
  await authorizationChecks(target, location, login);
  ownCookies(target, answer, login);
}

async function authorizationChecks(target: SiteTarget, location: URL, login: URL): Promise<void> {
  const { authorize } = pathsOf(target.input.serviceNames);
  if (!location.pathname.endsWith(authorize)) {
    return target.report('backend-not-mounted', {
      where: login.href,
      meaning: `A sign-in leads to ${location.origin}${location.pathname}, which is no authorization endpoint.`,
      action:
        'Check that app.use(auth.router) answers this path, before a middleware that demands another sign-in.',
    });
  }
  const service = `${location.origin}${location.pathname.slice(0, -authorize.length)}`;
  const clientId = location.searchParams.get('client_id') ?? '';
  const uri = location.searchParams.get('redirect_uri') ?? '';
  // The backend has the same client and service as the page and the command.
  const session = target.sessions.find(({ hasBackend }) => hasBackend);
  const other = target.input.service ?? session?.service ?? service;
  if (other !== service) {
    return target.report('backend-other-service', {
      where: login.href,
      meaning: `The backend uses the service ${service}, but the page, or the command, uses ${other}.`,
      action:
        'Set serviceUrl of latchkey() and the address of the script, or service-url, to the same service.',
    });
  }
  const otherId = [session?.clientId, target.input.clientId].find(
    (each) => each !== undefined && isClientId(each) && each !== clientId,
  );
  if (otherId !== undefined) {
    return target.report('backend-other-client', {
      where: login.href,
      meaning: `The backend uses the client ${clientId}, but client-id is ${otherId}.`,
      action: 'Set client-id of the elements and clientId of latchkey() to the same client.',
    });
  }
  const uriOrigin = resolve(uri, login)?.origin ?? uri;
  if (uriOrigin !== target.page.url.origin) return reportAppUrl(target, uriOrigin);
  const registered = await target.input.registry?.client(clientId);
  await redirectUriCheck(target, { clientId, service, uri, registered });
}

function reportAppUrl(target: SiteTarget, appOrigin: string): void {
  const { origin, hostname, protocol } = target.page.url;
  const app = URL.canParse(appOrigin) ? new URL(appOrigin) : undefined;
  const isLocal = app !== undefined && isLoopbackHost(app.hostname) && isLoopbackHost(hostname);
  const isScheme = app?.hostname === hostname && app.protocol !== protocol;
  const hint = isScheme
    ? ' Behind a proxy that ends https, appUrl is the https address that browsers see, and not the one of the server.'
    : isLocal
      ? ` ${hostname} and ${app.hostname} are different hosts to a browser, and share no cookies.`
      : '';
  target.report('app-url-mismatch', {
    meaning: `appUrl of latchkey() has the origin ${appOrigin}, but the site is open at ${origin}.${hint}`,
    action: `Set appUrl to ${origin}, or open the site at ${appOrigin}. Let the proxy pass on Host, and X-Forwarded-Proto together with app.set('trust proxy', 1).`,
  });
}

function ownCookies(target: SiteTarget, { headers }: Answer, login: URL): void {
  const cookies = headers
    .getSetCookie()
    .map(parseSetCookie)
    .filter(({ name }) => OWN_COOKIE.test(name));
  for (const cookie of cookies) cookieChecks(target, cookie, login);
  if (cookies.length > 0) return;
  target.report('cookie-missing', {
    where: login.href,
    meaning: 'A sign-in sets no cookie, so the site rejects the response of the service.',
    action: 'Let the proxy pass the header Set-Cookie on, and cache nothing below this path.',
  });
}

/** Parses a Set-Cookie header (RFC 6265, section 5.2). Drops the value, which reports must not contain. */
function parseSetCookie(header: string) {
  const [pair = '', ...attributes] = header.split(';');
  const values = new Map<string, string>();
  for (const attribute of attributes) {
    const [name = '', ...value] = attribute.split('=');
    values.set(name.trim().toLowerCase(), value.join('=').trim());
  }
  return {
    name: (pair.split('=', 1)[0] ?? '').trim(),
    isSecure: values.has('secure'),
    isHttpOnly: values.has('httponly'),
    sameSite: values.get('samesite')?.toLowerCase(),
    domain: values.get('domain')?.replace(/^\./, '').toLowerCase() || undefined,
    path: values.get('path'),
  };
}

/** Compares one of the kit's cookies with what the kit sends. A proxy can rewrite it. */
function cookieChecks(target: SiteTarget, cookie: ReturnType<typeof parseSetCookie>, login: URL): void {
  const { url } = target.page;
  const { name, isSecure, isHttpOnly, sameSite, domain, path } = cookie;
  const isHttps = url.protocol === 'https:';
  const shown = withoutHash(name);
  const report = (code: FindingCode, meaning: string, action: string) =>
    target.report(code, { where: login.href, meaning, action });
  if (isHttps && !isSecure)
    report(
      'cookie-not-secure',
      `The cookie ${shown} has no attribute Secure, although the site uses https.`,
      'Set appUrl to the https address that browsers see. The kit then sets Secure and __Host-.',
    );
  if (!isHttps && isSecure && !isLoopbackHost(url.hostname))
    report(
      'cookie-not-secure',
      `The cookie ${shown} is Secure, but the site uses http. Browsers drop it.`,
      'Serve the site over https.',
    );
  if (!isHttpOnly)
    report(
      'cookie-not-http-only',
      `Scripts of the page can read the cookie ${shown}: it has no attribute HttpOnly.`,
      `${PROXY}.`,
    );
  if (sameSite !== 'lax') {
    const meaning = `The cookie ${shown} has SameSite=${sameSite ?? '(none)'}. With Strict, the callback does not receive it. With None, other sites can use the session.`;
    report('cookie-same-site', meaning, `${PROXY}, and keep SameSite=Lax.`);
  }
  const isHostCookie = name.startsWith('__Host-');
  if (isHostCookie && (!isSecure || domain !== undefined || path !== '/')) {
    const meaning = `Browsers drop the cookie ${shown}: the prefix __Host- demands Secure, Path=/ and no Domain.`;
    report(
      'cookie-host-prefix',
      meaning,
      `${PROXY}, such as proxy_cookie_path or proxy_cookie_domain of nginx.`,
    );
  } else if (isHttps && isSecure && !isHostCookie) {
    const meaning = `The cookie ${shown} has no prefix __Host-, so a sibling subdomain can replace it.`;
    report('cookie-host-prefix', meaning, 'Set appUrl to the https address that browsers see.');
  }
  if (!isHostCookie && domain !== undefined) {
    const isOwn = url.hostname === domain || url.hostname.endsWith(`.${domain}`);
    const meaning = isOwn
      ? `The cookie ${shown} has Domain=${domain}. All subdomains receive it.`
      : `The cookie ${shown} has Domain=${domain}, which is another site. Browsers drop it.`;
    report('cookie-domain', meaning, `${PROXY}, and send no Domain.`);
  }
}

/** The hash at the end differs from sign-in to sign-in. */
function withoutHash(name: string): string {
  return name.replace(/^((?:__\w+-)?latchkey_(?:in_)?).*$/, '$1…');
}
