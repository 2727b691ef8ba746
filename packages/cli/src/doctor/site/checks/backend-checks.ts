import type { Answer } from '../../http/probe.js';
import { fieldsOf, shapeOf } from '../../service/checks/answers.js';
import type { Finding } from '../findings/finding.js';
import { resolve } from '../page/read-page.js';
import type { SiteTarget } from '../target/site-target.js';
import { loginChecks } from './login-checks.js';

/** Origin of an attacker's page. The name cannot exist (RFC 2606). */
const FOREIGN_ORIGIN = 'https://latchkey-doctor.invalid';
const KIT_LINK = /^(.*)\/(?:login|logout)(?:[?#]|$)/;

/** Examines each backend that the page names, with the requests of a browser without a session. */
export async function backendChecks(target: SiteTarget): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const backend of backendsOf(target)) {
    if (backend.origin !== target.page.url.origin) {
      findings.push({
        code: 'backend-other-site',
        where: target.page.url.href,
        meaning: `backend: must be a path of ${target.page.url.origin}; it is ${backend.href}.`,
        action: 'Set backend to the path where @latchkey/express is mounted, such as /auth.',
      });
      continue;
    }
    findings.push(...(await sessionChecks(target, backend)));
  }
  return findings;
}

/** Backends of elements. Without them, the one that a link of the page leads to. */
export function backendsOf({ sessions, page }: SiteTarget): URL[] {
  const named = [
    ...sessions.flatMap(({ backend }) => (backend === undefined ? [] : [backend])),
    ...page.elements.flatMap(({ attributes: { backend } }) => {
      const url = backend ? resolve(`${backend.replace(/\/+$/, '')}/`, page.url) : undefined;
      return url === undefined ? [] : [url];
    }),
  ];
  if (named.length === 0) {
    const link = page.links.map((each) => KIT_LINK.exec(each)?.[1]).find((path) => path?.endsWith('/auth'));
    const url = link === undefined ? undefined : resolve(`${link}/`, page.url);
    if (url !== undefined) named.push(url);
  }
  return [...new Map(named.map((url) => [url.href, url])).values()];
}

async function sessionChecks(target: SiteTarget, backend: URL): Promise<Finding[]> {
  const url = new URL('session', backend);
  const probe = await target.get(url, { accept: 'application/json' });
  if (probe.kind === 'failed') {
    const meaning = `The backend does not answer: ${probe.reason}.`;
    return [{ code: 'backend-failing', where: url.href, meaning, action: 'Check that the server runs.' }];
  }
  const { answer } = probe;
  if (answer.status >= 500) {
    const meaning = `The backend answers with ${shapeOf(answer)}.`;
    return [
      {
        code: 'backend-failing',
        where: url.href,
        meaning,
        action: 'Look for the error in the log of your server.',
      },
    ];
  }
  if (answer.status !== 200 || typeof fieldsOf(answer.json).signedIn !== 'boolean') {
    return [
      {
        code: 'backend-not-mounted',
        where: url.href,
        meaning: `@latchkey/express is not mounted here: the answer is ${shapeOf(answer)}.`,
        action:
          'Add app.use(auth.router) without a path, before routes that answer all addresses or demand a sign-in. Compare backend with mountPath, and check that the proxy passes the path on.',
      },
    ];
  }
  return [
    ...caching(answer, url),
    ...(await crossOrigin(target, url)),
    ...(await loginChecks(target, backend)),
  ];
}

function caching({ headers }: Answer, url: URL): Finding[] {
  const control = headers.get('cache-control') ?? '';
  const isCached = Number(headers.get('age') ?? 0) > 0;
  if (/\b(?:no-store|private)\b/i.test(control) && !isCached) return [];
  const meaning = isCached
    ? 'A cache answered this request. Visitors can receive the session of others.'
    : `The session is sent with Cache-Control: ${control || '(none)'}. A cache can send it to other visitors.`;
  const action =
    'Let the proxy and the CDN pass the header Cache-Control: no-store of the kit on, and cache nothing below this path.';
  return [{ code: 'session-cacheable', where: url.href, meaning, action }];
}

async function crossOrigin(target: SiteTarget, url: URL): Promise<Finding[]> {
  const probe = await target.get(url, { accept: 'application/json', origin: FOREIGN_ORIGIN });
  if (probe.kind === 'failed') return [];
  const { headers } = probe.answer;
  const allowed = headers.get('access-control-allow-origin');
  if (allowed !== '*' && allowed !== FOREIGN_ORIGIN) return [];
  const withCookies = headers.get('access-control-allow-credentials') === 'true' && allowed !== '*';
  return [
    {
      code: 'cors-wide-open',
      where: url.href,
      meaning: withCookies
        ? 'CORS headers let pages of every site read the session of your visitors.'
        : 'CORS headers let pages of every site read answers of the backend.',
      action:
        'Remove the CORS middleware from this path. The widget calls the backend from its own origin, and needs none.',
    },
  ];
}
