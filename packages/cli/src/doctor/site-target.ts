import { SITE_CALLBACK_PATH, WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';
import { isLoopbackHost } from '../command-line/values.js';
import type { DoctorSettings } from './doctor-settings.js';
import type { Finding, FindingCode } from './findings.js';
import { type Answer, type Probe, sendProbe } from './probe.js';
import {
  type PageScript,
  readPage,
  reasonNotToParse,
  resolve,
  type SitePage,
  type WidgetElement,
} from './read-page.js';
import type { Registry } from './registry.js';

const SITE_LIMITS = { ms: 10_000, bytes: 2_000_000 };
/** How long a site gets requests, in milliseconds. */
const SITE_TIME_MS = 60_000;
const REDIRECTS_MAX = 5;
/** Addresses that aren't on the internet: private and link-local ranges (RFC 1918, RFC 3927, RFC 4193). */
const PRIVATE_HOST = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|0\.|\[(?:f[cd]|fe80|::))/;

/** The command's settings for one of its sites. */
export type SiteInput = Omit<DoctorSettings, 'site'> & {
  readonly url: URL;
  /** The sandbox's records. Absent without its token. */
  readonly registry: Registry | undefined;
};

/** A site that responded, and the requests to it. Each is sent once, and none contains a secret. */
export class SiteTarget {
  readonly input: SiteInput;
  readonly page: SitePage;
  readonly answer: Answer;
  readonly sessions: readonly WidgetSession[];
  readonly findings: Finding[] = [];
  /** Sends a GET request like a browser without cookies. Doesn't follow redirects. */
  readonly get: SiteRequest;

  constructor({ input, get, answer, page }: Pick<SiteTarget, 'input' | 'get' | 'answer' | 'page'>) {
    this.input = input;
    this.get = get;
    this.page = page;
    this.answer = answer;
    this.sessions = readSessions(page, input);
  }

  /** Adds a finding, by default about the page. */
  report(code: FindingCode, finding: Omit<Finding, 'code' | 'where'> & { readonly where?: string }): void {
    this.findings.push({ code, where: this.page.url.href, ...finding });
  }

  /** True if a page with this service signs in at the sandbox. Only then can changing the sandbox help the page. */
  usesSandbox(service: string): boolean {
    const { registry, sandbox } = this.input;
    return registry !== undefined && URL.canParse(service) && new URL(service).origin === sandbox;
  }
}

/** Requests a site's page. Follows redirects that stay on its host. */
export async function openSite(input: SiteInput) {
  const get = requestsTo(input);
  let url = input.url;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    const probe = await get(url, { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' });
    if (probe.kind === 'failed') return failed(probe.reason);
    const { answer } = probe;
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status > 399 || location === null) {
      if (answer.status >= 400) return failed(`it answers with status ${answer.status}`);
      const reason = reasonNotToParse(answer.text);
      if (reason !== undefined) return failed(reason);
      const page = readPage(url, answer.headers, answer.text);
      return { kind: 'opened', target: new SiteTarget({ input, get, answer, page }) } as const;
    }
    const next = resolve(location, url);
    if (next === undefined || next.hostname !== input.url.hostname)
      return { kind: 'redirects', to: next?.origin ?? 'an invalid address' } as const;
    url = next;
  }
  return failed(`it redirects more than ${REDIRECTS_MAX} times`);
}

const failed = (reason: string) => ({ kind: 'failed', reason }) as const;

type SiteRequest = (url: URL, headers?: Readonly<Record<string, string>>) => Promise<Probe>;

/** Returns what sends requests to the hosts of a site, with limits that hold even if the site is hostile. */
function requestsTo(input: SiteInput): SiteRequest {
  const startedAt = performance.now();
  const sent = new Map<string, Promise<Probe>>();
  const unanswered = new Set<string>();
  const send = async (url: URL, headers: Readonly<Record<string, string>>): Promise<Probe> => {
    if (!mayRequest(url, input))
      return failed('the doctor requests no private address for a page of another host');
    if (unanswered.has(url.host)) return failed('it left an earlier request unanswered');
    if (performance.now() - startedAt > SITE_TIME_MS)
      return failed(`the site needed more than ${SITE_TIME_MS / 1000} s`);
    const probe = await sendProbe(url.href, { headers: { accept: '*/*', ...headers } }, SITE_LIMITS);
    if (probe.kind === 'failed' && probe.isTimeout) unanswered.add(url.host);
    return probe;
  };
  return (url, headers = {}) => {
    const address = new URL(url);
    address.hash = '';
    const key = JSON.stringify([address.href, headers]);
    const probe = sent.get(key) ?? send(address, headers);
    sent.set(key, probe);
    return probe;
  };
}

/** A page on the internet must not send the doctor to hosts that only this machine can reach. */
function mayRequest(url: URL, { url: site, service, sandbox, registry }: SiteInput): boolean {
  if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return false;
  if (url.hostname === site.hostname || isLoopbackHost(site.hostname)) return true;
  // The user gave these.
  const named = [service, registry && sandbox];
  if (named.some((each) => each !== undefined && url.origin === new URL(each).origin)) return true;
  return !isLoopbackHost(url.hostname) && !PRIVATE_HOST.test(url.hostname);
}

/** Values from the command line for attributes that the page creates with a script. */
type SessionDefaults = Pick<DoctorSettings, 'service' | 'clientId' | 'backend'>;

/** Settings of one of the widget's sessions, with the widget's defaults. */
export interface WidgetSession {
  readonly element: string;
  readonly clientId: string | undefined;
  /** Base URL of the service, without a trailing slash. Undefined if it isn't known. */
  readonly service: string | undefined;
  /** URL of the kit. Undefined without a backend, or if it's invalid. */
  readonly backend: URL | undefined;
  readonly hasBackend: boolean;
  readonly mode: 'popup' | 'redirect';
  readonly scopes: readonly string[];
  readonly returnUrl: string | undefined;
  /** Page where the popup ends. Undefined if the service isn't known. */
  readonly callback: { readonly url: URL; readonly isHosted: boolean } | undefined;
}

const WIDGET_SCRIPT = /\/latchkey(?!-plans)[^/]*\.js$/;
const PLANS_SCRIPT = /\/latchkey-plans[^/]*\.js$/;

/** True for the script of the login element and the gate. */
export const isWidgetScript = ({ url }: Pick<PageScript, 'url'>): boolean =>
  url !== undefined && WIDGET_SCRIPT.test(url.pathname);

export const isPlansScript = ({ url }: Pick<PageScript, 'url'>): boolean =>
  url !== undefined && PLANS_SCRIPT.test(url.pathname);

/** Returns the distinct sessions of a page, or without elements, the one from the command line. */
function readSessions(page: SitePage, defaults: SessionDefaults): WidgetSession[] {
  const named = page.elements.filter(
    ({ name, attributes }) => name === 'latchkey-login' || attributes['client-id'] !== undefined,
  );
  const sessions = named.map((element) => sessionOf(element, { page, defaults }));
  const isNamed = defaults.clientId !== undefined || defaults.backend !== undefined;
  if (sessions.length === 0 && isNamed) {
    const element = { name: 'page', attributes: {}, hasContent: false };
    sessions.push(sessionOf(element, { page, defaults }));
  }
  return [...new Map(sessions.map((session) => [JSON.stringify(session), session])).values()];
}

function sessionOf(
  { name, attributes }: WidgetElement,
  { page, defaults }: { page: SitePage; defaults: SessionDefaults },
): WidgetSession {
  const script = page.scripts.find(isWidgetScript);
  const service = (attributes['service-url'] || script?.url?.origin || defaults.service)?.replace(/\/+$/, '');
  const backend = attributes.backend || (name === 'page' ? defaults.backend : undefined);
  const clientId = attributes['client-id'] || (name === 'page' ? defaults.clientId : undefined);
  return {
    element: name === 'page' ? 'the page' : `<${name}>`,
    clientId,
    service,
    hasBackend: backend !== undefined,
    backend: backend === undefined ? undefined : resolve(`${backend.replace(/\/+$/, '')}/`, page.base),
    mode: attributes.mode === 'redirect' ? 'redirect' : 'popup',
    scopes: (attributes.scope ?? 'memberships.read').split(/[\s,]+/).filter((scope) => scope !== ''),
    returnUrl: attributes['return-url'] || undefined,
    callback: callbackOf(page, { clientId, service }, attributes['callback-url']),
  };
}

/** Returns the callback page that the widget chooses: the service's if the script comes from there, else the site's. */
function callbackOf(
  page: SitePage,
  { clientId, service }: Pick<WidgetSession, 'clientId' | 'service'>,
  given: string | undefined,
): WidgetSession['callback'] {
  const script = page.scripts.find(isWidgetScript);
  // A bundle of the site decides the default itself.
  if (service === undefined || (script === undefined && !given)) return undefined;
  const hosted = resolve(WIDGET_CALLBACK_PATH.replace('{clientId}', clientId ?? ''), new URL(page.url));
  const hostedUrl = resolve(`${service}${hosted?.pathname ?? ''}`, page.url);
  const isFromService = hostedUrl !== undefined && script?.url?.origin === hostedUrl.origin;
  const url = given
    ? resolve(given, page.base)
    : isFromService
      ? hostedUrl
      : resolve(SITE_CALLBACK_PATH, page.url);
  return url === undefined ? undefined : { url, isHosted: url.href === hostedUrl?.href };
}
