import type { Finding } from '../findings/finding.js';
import { resolve } from '../page/read-page.js';
import type { SiteTarget } from '../target/site-target.js';
import { backendsOf } from './backend-checks.js';
import { siteScripts } from './script-checks.js';

const REGISTRATION = /serviceWorker\s*\.\s*register\(\s*(['"`])([^'"`]+)\1/;

/** Examines a service worker that answers requests from a cache: it can store sessions and the content of gates. */
export async function serviceWorkerChecks(target: SiteTarget): Promise<Finding[]> {
  const guarded = [
    ...backendsOf(target),
    ...target.page.elements.flatMap(({ attributes: { src } }) => resolve(src ?? '', target.page.url) ?? []),
  ];
  if (guarded.length === 0) return [];
  for (const { text } of await siteScripts(target)) {
    const url = resolve(REGISTRATION.exec(text)?.[2] ?? '', target.page.url);
    if (!REGISTRATION.test(text) || url?.origin !== target.page.url.origin) continue;
    const probe = await target.get(url);
    if (probe.kind === 'failed' || probe.answer.status !== 200) continue;
    const worker = probe.answer.text;
    const stores = /addEventListener\(\s*['"]fetch['"]/.test(worker) && /\.put\(|\.addAll?\(/.test(worker);
    const excludes = backendsOf(target).every(({ pathname }) => worker.includes(pathname.replace(/\/$/, '')));
    if (stores && !excludes) {
      return [
        {
          code: 'service-worker-cache',
          where: url.href,
          meaning:
            'The service worker stores answers in a cache, and does not name the path of the backend. It can keep sessions and content for members after a sign-out.',
          action: `Let requests below ${guarded[0]?.pathname ?? '/auth'} through to the network.`,
        },
      ];
    }
  }
  return [];
}
