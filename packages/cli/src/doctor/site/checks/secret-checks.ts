import type { Finding } from '../findings/finding.js';
import type { SiteTarget } from '../target/site-target.js';
import { siteScripts } from './script-checks.js';
import { secretKinds } from './secret-kinds.js';

const ROTATE =
  'Remove it, and replace it in the developer area: everyone can have read it. Only your server may have it.';

/** Searches the page, its scripts and a file of the server for secrets. No finding contains a part of them. */
export async function secretChecks(target: SiteTarget): Promise<Finding[]> {
  const { page, input } = target;
  const texts = [{ where: page.url.href, text: page.html }, ...(await siteScripts(target))];
  const findings = new Map<string, Finding>();
  for (const { where, text } of texts) {
    for (const kind of secretKinds(text, input)) {
      const meaning = `Everyone can read ${kind} here.`;
      findings.set(`${where} ${kind}`, { code: 'secret-in-page', where, meaning, action: ROTATE });
    }
  }
  return [...findings.values(), ...(await environmentFile(target))];
}

/** Requests the file that servers publish by mistake when they serve the folder of the project. */
async function environmentFile(target: SiteTarget): Promise<Finding[]> {
  const url = target.at('/.env');
  const probe = await target.get(url);
  const isFile =
    probe.kind === 'answer' &&
    probe.answer.status === 200 &&
    !/<html/i.test(probe.answer.text) &&
    /^\s*(?:export\s+)?[A-Z][A-Z0-9_]*\s*=/m.test(probe.answer.text);
  if (!isFile) return [];
  return [
    {
      code: 'env-file-public',
      where: url.href,
      meaning: 'Everyone can read the environment file of your server.',
      action: 'Serve a folder that contains public files only. Replace all secrets of the file.',
    },
  ];
}
