import type { Answer } from '../../http/probe.js';
import type { Finding } from '../findings/finding.js';
import { allows } from '../page/content-policy.js';
import { readPage, reasonNotToParse } from '../page/read-page.js';
import type { WidgetSession } from '../page/widget-sessions.js';
import type { SiteTarget } from '../target/site-target.js';

const FILES =
  'Copy callback.html and callback.js from node_modules/@latchkey/widget/dist to this folder, or set callback-url.';

/** Examines the callback page of the site, where the popup ends. The service's own callback page needs no check. */
export async function callbackPageChecks(
  target: SiteTarget,
  { callback, mode }: WidgetSession,
): Promise<Finding[]> {
  if (callback === undefined || callback.isHosted || mode !== 'popup') return [];
  const { url } = callback;
  const missing = (meaning: string): Finding[] => [
    { code: 'callback-page-missing', where: url.href, meaning, action: FILES },
  ];
  if (url.origin !== target.page.url.origin)
    return missing(`callback-url: must be a page of ${target.page.url.origin} without a fragment.`);
  const probe = await target.get(url, { accept: 'text/html' });
  if (probe.kind === 'failed') return missing(`The callback page cannot be loaded: ${probe.reason}.`);
  const { status } = probe.answer;
  if (status !== 200) return missing(`The callback page answers with status ${status}.`);
  return await scriptOf(target, { answer: probe.answer, url, missing });
}

async function scriptOf(
  target: SiteTarget,
  { answer, url, missing }: { answer: Answer; url: URL; missing: (meaning: string) => Finding[] },
): Promise<Finding[]> {
  const reason = reasonNotToParse(answer.text);
  if (reason !== undefined) return missing(`The callback page cannot be read: ${reason}.`);
  const page = readPage(url, answer.headers, answer.text);
  const script = page.scripts.find((each) => each.url?.pathname.endsWith('/callback.js'))?.url;
  if (script === undefined) return missing('The page at this address does not load callback.js.');
  const probe = await target.get(script);
  const isLoaded = probe.kind === 'answer' && probe.answer.status === 200;
  if (!isLoaded) return missing(`The callback page loads ${script.href}, which is not there.`);
  if (page.policies.every((policy) => allows(policy, 'script-src', { url: script, page: url }))) return [];
  return [
    {
      code: 'csp-script-src',
      where: url.href,
      meaning: `Content-Security-Policy: script-src blocks ${script.href}, so the popup cannot answer.`,
      action: "Send script-src 'self' with the callback page.",
    },
  ];
}
