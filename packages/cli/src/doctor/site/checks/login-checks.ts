import { pathsOf } from '@latchkey/contract/constants';
import { isLoopbackHost } from '../../../command-line/service-values.js';
import type { Answer } from '../../http/probe.js';
import { shapeOf } from '../../service/checks/answers.js';
import type { Finding, FindingCode } from '../findings/finding.js';
import { resolve } from '../page/read-page.js';
import type { SiteTarget } from '../target/site-target.js';
import { isClientId } from './client-checks.js';
import { redirectUriCheck } from './redirect-uri-check.js';

const PROXY = 'The kit sets this itself. Look for a proxy or a middleware that rewrites Set-Cookie';

/** Compares a cookie of the kit with what the kit sends: a proxy can rewrite it. */
function cookieChecks({ page }: SiteTarget, cookie: SetCookie, login: URL): Finding[] {
  const { url } = page;
  const { name, isSecure, isHttpOnly, sameSite, domain, path } = cookie;
  const isHttps = url.protocol === 'https:';
  const shown = withoutHash(name);
  const findings: Finding[] = [];
  const report = (code: FindingCode, meaning: string, action: string) =>
    findings.push({ code, where: login.href, meaning, action });
  if (isHttps && !isSecure) {
    const action = 'Set appUrl to the https address that browsers see. The kit then sets Secure and __Host-.';
    report(
      'cookie-not-secure',
      `The cookie ${shown} has no attribute Secure, although the site uses https.`,
      action,
    );
  }
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
  return findings;
}

/** The hash at the end differs from sign-in to sign-in. */
function withoutHash(name: string): string {
  return name.replace(/^((?:__\w+-)?latchkey_(?:in_)?).*$/, '$1…');
}

const OWN_COOKIE = /^(?:__Host-|__Secure-)?latchkey_/;

/** Starts a sign-in by redirect, without following it, and examines where it leads and its cookies. */
export async function loginChecks(target: SiteTarget, backend: URL): Promise<Finding[]> {
  const login = new URL('login?returnTo=/', backend);
  const first = await redirectOf(target, login);
  if (first === undefined) return [];
  const { answer, location } = first;
  if (!isMoved(location, login)) return await redirectChecks(target, { answer, location, login });
  if (location.origin !== login.origin) return [appUrlFinding(target, location.origin)];
  // A proxy replaces the header Host. The kit then redirects to its own address once, which a browser follows.
  const second = await redirectOf(target, location);
  return second === undefined ? [] : await redirectChecks(target, { ...second, login });
}

interface LoginRedirect {
  readonly answer: Answer;
  /** Undefined if the answer is no redirect. */
  readonly location: URL | undefined;
}

async function redirectOf(target: SiteTarget, login: URL): Promise<LoginRedirect | undefined> {
  const probe = await target.get(login, { accept: 'text/html' });
  if (probe.kind === 'failed') return undefined;
  const { answer } = probe;
  const location = answer.headers.get('location');
  const isRedirect = answer.status === 302 && location !== null;
  return { answer, location: isRedirect ? resolve(location, login) : undefined };
}

/** True if the kit redirects to the same path on the host of appUrl. */
function isMoved(location: URL | undefined, login: URL): location is URL {
  return location?.pathname === login.pathname && location.searchParams.has('moved');
}

async function redirectChecks(
  target: SiteTarget,
  { answer, location, login }: LoginRedirect & { login: URL },
): Promise<Finding[]> {
  if (location === undefined) {
    const meaning = `A sign-in does not lead to the service: ${shapeOf(answer)}.`;
    const action =
      'Check that app.use(auth.router) answers this path, and that the proxy passes redirects on.';
    return [{ code: 'backend-not-mounted', where: login.href, meaning, action }];
  }
  return [...(await authorizationChecks(target, location, login)), ...ownCookies(target, answer, login)];
}

async function authorizationChecks(target: SiteTarget, location: URL, login: URL): Promise<Finding[]> {
  const { authorize } = pathsOf(target.input.names);
  if (!location.pathname.endsWith(authorize)) return [leadsElsewhere(location, login)];
  const service = `${location.origin}${location.pathname.slice(0, -authorize.length)}`;
  const clientId = location.searchParams.get('client_id') ?? '';
  const uri = location.searchParams.get('redirect_uri') ?? '';
  const others = otherSettings(target, { service, clientId, login });
  if (others.length > 0) return others;
  const uriOrigin = resolve(uri, login)?.origin ?? uri;
  if (uriOrigin !== target.page.url.origin) return [appUrlFinding(target, uriOrigin)];
  const registered = await target.input.registry?.client(clientId);
  return await redirectUriCheck(target, { clientId, service, uri, registered });
}

function leadsElsewhere(location: URL, login: URL): Finding {
  return {
    code: 'backend-not-mounted',
    where: login.href,
    meaning: `A sign-in leads to ${location.origin}${location.pathname}, which is no authorization endpoint.`,
    action:
      'Check that app.use(auth.router) answers this path, before a middleware that demands another sign-in.',
  };
}

/** Compares the client and the service of the backend with those of the page and of the command. */
function otherSettings(
  target: SiteTarget,
  { service, clientId, login }: { service: string; clientId: string; login: URL },
): Finding[] {
  const session = target.sessions.find(({ hasBackend }) => hasBackend);
  const other = target.input.service ?? session?.service ?? service;
  if (other !== service) {
    return [
      {
        code: 'backend-other-service',
        where: login.href,
        meaning: `The backend uses the service ${service}, but the page, or the command, uses ${other}.`,
        action:
          'Set serviceUrl of latchkey() and the address of the script, or service-url, to the same service.',
      },
    ];
  }
  const otherId = [session?.clientId, target.input.clientId].find(
    (each) => each !== undefined && isClientId(each) && each !== clientId,
  );
  if (otherId === undefined) return [];
  return [
    {
      code: 'backend-other-client',
      where: login.href,
      meaning: `The backend uses the client ${clientId}, but client-id is ${otherId}.`,
      action: 'Set client-id of the elements and clientId of latchkey() to the same client.',
    },
  ];
}

function appUrlFinding(target: SiteTarget, appOrigin: string): Finding {
  const { origin, hostname, protocol } = target.page.url;
  const app = URL.canParse(appOrigin) ? new URL(appOrigin) : undefined;
  const isLocal = app !== undefined && isLoopbackHost(app.hostname) && isLoopbackHost(hostname);
  const isScheme = app?.hostname === hostname && app.protocol !== protocol;
  const hint = isScheme
    ? ' Behind a proxy that ends https, appUrl is the https address that browsers see, and not the one of the server.'
    : isLocal
      ? ` ${hostname} and ${app.hostname} are different hosts to a browser, and share no cookies.`
      : '';
  return {
    code: 'app-url-mismatch',
    where: target.page.url.href,
    meaning: `appUrl of latchkey() has the origin ${appOrigin}, but the site is open at ${origin}.${hint}`,
    action: `Set appUrl to ${origin}, or open the site at ${appOrigin}. Let the proxy pass on Host, and X-Forwarded-Proto together with app.set('trust proxy', 1).`,
  };
}

function ownCookies(target: SiteTarget, { headers }: Answer, login: URL): Finding[] {
  const cookies = headers
    .getSetCookie()
    .map(parseSetCookie)
    .filter(({ name }) => OWN_COOKIE.test(name));
  if (cookies.length > 0) return cookies.flatMap((cookie) => cookieChecks(target, cookie, login));
  return [
    {
      code: 'cookie-missing',
      where: login.href,
      meaning: 'A sign-in sets no cookie, so the site rejects the response of the service.',
      action: 'Let the proxy pass the header Set-Cookie on, and cache nothing below this path.',
    },
  ];
}

interface SetCookie {
  readonly name: string;
  readonly isSecure: boolean;
  readonly isHttpOnly: boolean;
  /** `lax`, `strict`, `none`, or undefined if the attribute is missing. */
  readonly sameSite: string | undefined;
  /** Without a leading dot. */
  readonly domain: string | undefined;
  readonly path: string | undefined;
}

/** Parses a Set-Cookie header (RFC 6265, section 5.2). The value is dropped: reports must not contain it. */
function parseSetCookie(header: string): SetCookie {
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
