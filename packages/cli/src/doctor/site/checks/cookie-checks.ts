import { isLoopbackHost } from '../../../command-line/service-values.js';
import type { Finding, FindingCode } from '../findings/finding.js';
import type { SetCookie } from '../page/set-cookie.js';
import type { SiteTarget } from '../target/site-target.js';

const PROXY = 'The kit sets this itself. Look for a proxy or a middleware that rewrites Set-Cookie';

/** Compares a cookie of the kit with what the kit sends: a proxy can rewrite it. */
export function cookieChecks({ page }: SiteTarget, cookie: SetCookie, login: URL): Finding[] {
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
