import { isLoopbackHost } from '../command-line/service-values.js';
import type { DoctorSettings } from './doctor-settings.js';
import type { Finding, FindingCode } from './findings.js';
import { type Answer, type Probe, sendProbe } from './probe.js';
import { readPage, reasonNotToParse, resolve, type SitePage } from './read-page.js';
import type { Registry } from './registry.js';
import { readSessions, type WidgetSession } from './widget-sessions.js';

const SITE_LIMITS = { ms: 10_000, bytes: 2_000_000 };
/** Milliseconds after which a site gets no more requests. */
const SITE_TIME_MS = 60_000;
const REDIRECTS_MAX = 5;
/** Addresses of other networks than the internet: private and link-local ranges (RFC 1918, RFC 3927, RFC 4193). */
const PRIVATE_HOST = /^(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|0\.|\[(?:f[cd]|fe80|::))/;

/** Settings of the command for one of its sites. */
export type SiteInput = Omit<DoctorSettings, 'site'> & {
  readonly url: URL;
  /** Records of the sandbox. Absent without its token. */
  readonly registry: Registry | undefined;
};

/** A site that answered, and the requests to it. Each is sent once, and none of them contains a secret. */
export class SiteTarget {
  readonly input: SiteInput;
  readonly page: SitePage;
  readonly answer: Answer;
  readonly sessions: readonly WidgetSession[];
  readonly findings: Finding[] = [];
  readonly #requests: SiteRequests;

  constructor(requests: SiteRequests, { answer, page }: { answer: Answer; page: SitePage }) {
    this.input = requests.input;
    this.page = page;
    this.answer = answer;
    this.#requests = requests;
    this.sessions = readSessions(page, requests.input);
  }

  /** Adds a finding, by default about the page. */
  report(code: FindingCode, finding: Omit<Finding, 'code' | 'where'> & { readonly where?: string }): void {
    this.findings.push({ code, where: this.page.url.href, ...finding });
  }

  /** Sends a GET request as a browser without cookies. Follows no redirect. */
  get(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Probe> {
    return this.#requests.get(url, headers);
  }

  /** True if a page with this service signs in at the sandbox. Only then a change of the sandbox can help the page. */
  usesSandbox(service: string): boolean {
    const { registry, sandbox } = this.input;
    return registry !== undefined && URL.canParse(service) && new URL(service).origin === sandbox;
  }
}

/** Requests the page of a site. Follows redirects that stay on its host. */
export async function openSite(input: SiteInput) {
  const requests = new SiteRequests(input);
  let url = input.url;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop += 1) {
    const probe = await requests.get(url, { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' });
    if (probe.kind === 'failed') return failed(probe.reason);
    const { answer } = probe;
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status > 399 || location === null) {
      if (answer.status >= 400) return failed(`it answers with status ${answer.status}`);
      const reason = reasonNotToParse(answer.text);
      if (reason !== undefined) return failed(reason);
      const page = readPage(url, answer.headers, answer.text);
      return { kind: 'opened', target: new SiteTarget(requests, { answer, page }) } as const;
    }
    const next = resolve(location, url);
    if (next === undefined || next.hostname !== input.url.hostname)
      return { kind: 'redirects', to: next?.origin ?? 'an invalid address' } as const;
    url = next;
  }
  return failed(`it redirects more than ${REDIRECTS_MAX} times`);
}

const failed = (reason: string) => ({ kind: 'failed', reason }) as const;

/** Requests to the hosts of a site, with limits that hold for a hostile site too. */
class SiteRequests {
  readonly input: SiteInput;
  readonly #startedAt = Date.now();
  readonly #sent = new Map<string, Promise<Probe>>();
  readonly #unanswered = new Set<string>();

  constructor(input: SiteInput) {
    this.input = input;
  }

  get(url: URL, headers: Readonly<Record<string, string>>): Promise<Probe> {
    const address = new URL(url);
    address.hash = '';
    const key = JSON.stringify([address.href, headers]);
    const sent = this.#sent.get(key) ?? this.#send(address, headers);
    this.#sent.set(key, sent);
    return sent;
  }

  /** A page on the internet must not send the doctor to hosts that only this machine reaches. */
  #mayRequest(url: URL): boolean {
    if (!['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
      return false;
    const { url: site, service, sandbox, registry } = this.input;
    if (url.hostname === site.hostname || isLoopbackHost(site.hostname)) return true;
    // The user named these.
    const named = [service, registry && sandbox];
    if (named.some((each) => each !== undefined && url.origin === new URL(each).origin)) return true;
    return !isLoopbackHost(url.hostname) && !PRIVATE_HOST.test(url.hostname);
  }

  async #send(url: URL, headers: Readonly<Record<string, string>>): Promise<Probe> {
    if (!this.#mayRequest(url))
      return failed('the doctor requests no private address for a page of another host');
    if (this.#unanswered.has(url.host)) return failed('it left an earlier request unanswered');
    if (Date.now() - this.#startedAt > SITE_TIME_MS)
      return failed(`the site needed more than ${SITE_TIME_MS / 1000} s`);
    const probe = await sendProbe(url.href, { headers: { accept: '*/*', ...headers } }, SITE_LIMITS);
    if (probe.kind === 'failed' && probe.isTimeout) this.#unanswered.add(url.host);
    return probe;
  }
}
