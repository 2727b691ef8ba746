import { createHash } from 'node:crypto';
import type { FindingCode } from './findings.js';
import { allows, type PageScript, resolve } from './read-page.js';
import { isPlansScript, isWidgetScript, type SiteTarget } from './site-target.js';

const SCRIPT_TAG = 'Copy the script tag from the front page of the sandbox, or from docs/widget.';
/** Media types that browsers run as a module, or with `nosniff` as a classic script. */
const JAVASCRIPT = /^(?:text|application)\/(?:x-)?(?:java|ecma)script\b/i;
const IS_WIDGET = /latchkey-(?:login|plans)/;
const RELEASE = /\/widget\/([0-9a-f]{16})\/[^/]+$/;

/** Checks the widget's scripts: their tags, their responses and the page's policy. */
export async function scriptChecks(target: SiteTarget): Promise<void> {
  const own = target.page.scripts.filter((script) => isWidgetScript(script) || isPlansScript(script));
  await missing(target);
  for (const script of new Map(own.map((each) => [each.url?.href, each])).values()) {
    await answerOf(target, script);
    policyOf(target, script);
  }
  for (const script of target.page.scripts.slice(0, SITE_SCRIPTS_MAX)) await moduleOf(target, script);
  for (const isWidget of [isWidgetScript, isPlansScript]) twice(target, own.filter(isWidget));
  await otherVersion(target, own);
}

/** Reports elements without a script that defines them. A bundle of the site may contain the definition. */
async function missing(target: SiteTarget): Promise<void> {
  const { scripts, elements } = target.page;
  const names = new Set(elements.map(({ name }) => name));
  const needsPlans = names.has('latchkey-plans') || names.has('latchkey-join');
  const lacksWidget = names.size > 0 && !scripts.some(isWidgetScript);
  const lacksPlans = needsPlans && !scripts.some(isPlansScript);
  if (lacksWidget && !(await isBundled(target, 'latchkey-login'))) {
    target.report('script-missing', {
      meaning: `The page has ${[...names].map((name) => `<${name}>`).join(', ')}, but no script that defines them.`,
      action: SCRIPT_TAG,
    });
  }
  if (lacksPlans && !(await isBundled(target, 'latchkey-plans'))) {
    target.report('plans-script-missing', {
      meaning: 'The page has <latchkey-plans> or <latchkey-join>, but does not load latchkey-plans.js.',
      action: 'Add a second script tag with latchkey-plans.js beside the one with latchkey.js.',
    });
  }
}

async function isBundled(target: SiteTarget, text: string): Promise<boolean> {
  return (await siteScripts(target)).some((script) => script.text.includes(text));
}

const SITE_SCRIPTS_MAX = 30;

/** Returns the inline scripts, and the scripts that could be loaded from the site's own origin. */
export async function siteScripts(target: SiteTarget): Promise<{ where: string; text: string }[]> {
  const { page } = target;
  const found: { where: string; text: string }[] = [];
  for (const { url, text } of page.scripts.slice(0, SITE_SCRIPTS_MAX)) {
    if (url === undefined) found.push({ where: page.url.href, text });
    if (url?.origin !== page.url.origin) continue;
    const probe = await target.get(url);
    if (probe.kind === 'answer' && probe.answer.status === 200)
      found.push({ where: url.href, text: probe.answer.text });
  }
  return found;
}

async function answerOf(target: SiteTarget, { url }: PageScript): Promise<void> {
  if (url === undefined) return;
  const probe = await target.get(url);
  const report = (code: FindingCode, meaning: string, action: string) =>
    target.report(code, { where: url.href, meaning, action });
  if (probe.kind === 'failed') {
    const action = `Check that the server runs. ${SCRIPT_TAG}`;
    return report('script-unreachable', `The script cannot be loaded: ${probe.reason}.`, action);
  }
  const { status, headers, text } = probe.answer;
  if (status >= 500 || [401, 403, 429].includes(status))
    return report(
      'script-unreachable',
      `The script cannot be loaded: status ${status}.`,
      'Make the address public.',
    );
  if (status !== 200) {
    const meaning = `There is no script at this address: status ${status}.`;
    return report('script-wrong-url', meaning, await rightAddress(target, url));
  }
  const type = headers.get('content-type') ?? '';
  if (!IS_WIDGET.test(text)) {
    const meaning = `The answer is not the script of the widget: ${type || 'no content type'}.`;
    return report('script-wrong-url', meaning, SCRIPT_TAG);
  }
  if (JAVASCRIPT.test(type)) return;
  const meaning = `The script has the content type ${type || '(none)'}. Browsers do not run it as a module, nor with X-Content-Type-Options: nosniff.`;
  report('script-content-type', meaning, 'Send Content-Type: text/javascript.');
}

/** Returns a hint at the URL that works at the same origin, if there is one. */
async function rightAddress(target: SiteTarget, url: URL): Promise<string> {
  const file = url.pathname.split('/').at(-1) ?? '';
  for (const folder of ['/widget/', '/latchkey/']) {
    const candidate = new URL(folder + file, url);
    const probe = await target.get(candidate);
    if (probe.kind === 'failed' || probe.answer.status !== 200) continue;
    const { headers, text } = probe.answer;
    if (IS_WIDGET.test(text) && JAVASCRIPT.test(headers.get('content-type') ?? ''))
      return `Load ${candidate.href} in its place.`;
  }
  return SCRIPT_TAG;
}

/** The module that `latchkey.js` imports for a sign-in, and its hash, as the widget's build writes them. */
const MODULE = /["'`](latchkey-sign-in\.js\?v=\w+)["'`], ?["'`]((sha(?:256|384|512))-([\w+/=]+))["'`]/;

/** Checks the module that `latchkey.js` imports, at each address where the widget looks for it. */
async function moduleOf(target: SiteTarget, script: PageScript): Promise<void> {
  const { page, sessions } = target;
  const { url, nonce, integrity } = script;
  if (url && !isAllowed(target, { url, nonce, integrity })) return;
  const isRead = isWidgetScript(script) || url?.origin === page.url.origin;
  const probe = url && isRead ? await target.get(url) : undefined;
  const found = MODULE.exec(probe?.kind === 'answer' ? probe.answer.text : script.text);
  if (found === null) return;
  const services = sessions.map(({ service }) => service && resolve(`${service}/widget/`, page.url));
  const addresses = new Set(
    [url, ...services].flatMap((folder) => (folder ? new URL(`${found[1]}`, folder).href : [])),
  );
  const failures: { meaning: string; action: string }[] = [];
  for (const address of addresses) {
    const failure = await importFailure(target, { url: new URL(address), script, found });
    if (failure === undefined) break;
    failures.push({ meaning: `${address}: ${failure[0]}`, action: failure[1] });
  }
  const [first] = failures;
  if (first === undefined) return;
  const reasons = failures.map(({ meaning }) => meaning).join('; ');
  const isElsewhere = failures.length < addresses.size;
  target.report(isElsewhere ? 'sign-in-script-elsewhere' : 'sign-in-script-missing', {
    meaning: isElsewhere
      ? `The page loads the module for sign-ins from the service, since its own copy fails: ${reasons}.`
      : `The page cannot load the module for sign-ins: ${reasons}.`,
    action: `${first.action}, or load latchkey-all.js.`,
  });
}

/** Returns why the page can't import the module from this address, and what to change. `undefined` if it can. */
async function importFailure(
  target: SiteTarget,
  { url, script, found }: { url: URL; script: PageScript; found: RegExpExecArray },
): Promise<[reason: string, action: string] | undefined> {
  const { origin } = target.page.url;
  const [, , integrity, algorithm = '', hash] = found;
  if (!isAllowed(target, { url, nonce: script.nonce, integrity, isImport: true }))
    return ['Content-Security-Policy: script-src blocks it', `Add ${url.origin} to script-src`];
  const isForeign = url.origin !== origin;
  const probe = await target.get(url, isForeign ? { origin } : {});
  const copy = 'Copy latchkey-sign-in.js of the same release next to latchkey.js';
  if (probe.kind === 'failed') return [probe.reason, copy];
  const { status, headers, text } = probe.answer;
  if (status !== 200) return [`status ${status}`, copy];
  const type = headers.get('content-type') ?? '(none)';
  if (!JAVASCRIPT.test(type)) return [`content type ${type}`, 'Send Content-Type: text/javascript'];
  if (isForeign && !['*', origin].includes(headers.get('access-control-allow-origin') ?? ''))
    return ['no Access-Control-Allow-Origin', 'Send Access-Control-Allow-Origin: *'];
  return createHash(algorithm).update(text).digest('base64') === hash
    ? undefined
    : ['it belongs to another release', copy];
}

function isAllowed({ page }: SiteTarget, script: Omit<Parameters<typeof allows>[2], 'page'>): boolean {
  return page.policies.every((policy) => allows(policy, 'script-src', { page: page.url, ...script }));
}

function policyOf(target: SiteTarget, { url, nonce, integrity }: PageScript): void {
  if (url === undefined || isAllowed(target, { url, nonce, integrity })) return;
  const { page } = target;
  const source = url.origin === page.url.origin ? "'self'" : url.origin;
  target.report('csp-script-src', {
    meaning: `Content-Security-Policy: script-src blocks ${url.href}.`,
    action: `Add ${source} to script-src, or give the script tag a nonce that script-src contains.`,
  });
}

function twice(target: SiteTarget, scripts: readonly PageScript[]): void {
  if (scripts.length < 2) return;
  target.report('script-twice', {
    meaning: `The page loads the script ${scripts.length} times: ${scripts.map(({ src }) => src ?? '').join(', ')}. The first one defines the elements.`,
    action: 'Remove the other script tags.',
  });
}

/** Compares the versions of both scripts, and the site's copy with the service's script. */
async function otherVersion(target: SiteTarget, own: readonly PageScript[]): Promise<void> {
  const releases = new Set(own.flatMap(({ url }) => RELEASE.exec(url?.pathname ?? '')?.[1] ?? []));
  const action =
    'Load latchkey.js and latchkey-plans.js from the same release, and copy both again after an update.';
  const report = (where: string, meaning: string) =>
    target.report('script-other-version', { where, meaning, action });
  if (releases.size > 1)
    return report(target.page.url.href, 'The scripts of the page belong to different releases.');
  const { service } = target.input;
  for (const { url } of own) {
    if (service === undefined || url === undefined || url.origin === new URL(service).origin) continue;
    const file = url.pathname.split('/').at(-1) ?? '';
    const [copy, original] = [await target.get(url), await target.get(new URL(`${service}/widget/${file}`))];
    const both = [copy, original].map((probe) => (probe.kind === 'answer' ? probe.answer : undefined));
    if (both.some((answer) => answer?.status !== 200 || !answer.text.includes('latchkey-'))) continue;
    if (both[0]?.text !== both[1]?.text)
      return report(
        url.href,
        `The script differs from ${service}/widget/${file}: it belongs to another version.`,
      );
  }
}
