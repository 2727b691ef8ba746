import { setTimeout as pause } from 'node:timers/promises';
import { Cookie, CookieJar } from 'tough-cookie';
import type { RoundTrip, SentRequest } from '../../report/report.js';
import type { FakeUser } from '../../scripted-service/world.js';
import type { ActionName, CallerProfile } from '../record/caller-profile.js';
import type { ActionOutcome, ActionParameters, ActionRun, ServiceRoundTrip } from '../record/recording.js';
import { ordinaryScript, type Script } from '../service/script.js';
import { newVisitor, type ScriptedService } from '../service/scripted-service.js';
import {
  actionRequest,
  appOf,
  filled,
  outcomeOfCommand,
  outcomeOfResponse,
  resolved,
  roundTripOf,
  runCommand,
} from './action-request.js';

const POLL_MS = 100;

interface Performance {
  readonly label: string;
  readonly parameters: ActionParameters;
  /** An object that is the same for all actions of one visitor. */
  readonly browser: object;
}

/** Functions that perform actions, for clients that requests can't drive, such as pages in a real browser. */
export type Performers = {
  readonly [Name in ActionName]?: (
    context: Performance,
  ) => Promise<{ readonly isSuccess: boolean; readonly text?: string }>;
};

export interface RunOptions {
  /** @default the name of the script */
  readonly label?: string;
  /** @default the ordinary script */
  readonly script?: Script;
  /** @default new values, so no two runs look like a repetition */
  readonly parameters?: ActionParameters;
  /** @default a new browser, signed in if the action requires it */
  readonly browser?: Browser;
  /** True when enough requests have arrived. The run waits for it, at most for the profile's retry time. */
  readonly until?: (roundTrips: readonly ServiceRoundTrip[]) => boolean;
  /** How long to wait after the run for requests that shouldn't come, in milliseconds. @default 0 */
  readonly quietMs?: number;
}

/** Runs the actions of a profile, one at a time, and records each run. */
export class Driver {
  readonly service: ScriptedService;
  readonly profile: CallerProfile;
  readonly performers: Performers;
  readonly runs: ActionRun[] = [];
  #count = 0;
  #member: Browser | undefined;

  constructor({ service, profile, performers }: Pick<Driver, 'service' | 'profile' | 'performers'>) {
    this.service = service;
    this.profile = profile;
    this.performers = performers;
  }

  has(name: ActionName): boolean {
    return this.profile.actions[name] !== undefined || this.performers[name] !== undefined;
  }

  newParameters(): ActionParameters {
    this.#count += 1;
    const id = `${Date.now().toString(36)}-${this.#count}`;
    return {
      orderId: `order-${id}`,
      externalId: `buyer-${id}`,
      email: `buyer-${id}@example.com`,
      messengerUserId: String(700_000 + this.#count),
    };
  }

  /** Runs an action and records the run. Resolves to undefined if the profile doesn't have the action. */
  async act(name: ActionName, options: RunOptions = {}): Promise<ActionRun | undefined> {
    if (!this.has(name)) return undefined;
    const action = this.profile.actions[name];
    const { script = ordinaryScript, label = script.name, quietMs = 0, until } = options;
    const parameters = options.parameters ?? this.newParameters();
    const browser = options.browser ?? (action?.signedIn ? await this.#memberBrowser() : new Browser());
    if (action?.afterCheckout) await this.#send('checkout', { parameters, browser });
    const start = this.service.roundTrips.length;
    this.service.script = script;
    const { outcome, driven } = await this.#execute(name, { parameters, browser, label });
    const received = () => this.service.roundTrips.slice(start);
    if (until !== undefined) await this.waitFor(() => until(received()));
    if (quietMs > 0) await pause(quietMs);
    this.service.script = ordinaryScript;
    const run = { action: name, label, parameters, outcome, roundTrips: received(), driven };
    this.runs.push(run);
    return run;
  }

  /** Signs a visitor in with a new browser, and opens the protected page in it. */
  async signIn(
    label: string,
    { script = ordinaryScript, visitor = newVisitor() }: { script?: Script; visitor?: FakeUser } = {},
  ): Promise<Browser> {
    const browser = new Browser();
    this.service.visitor = visitor;
    await this.act('signIn', { label, script, browser });
    return browser;
  }

  /** Waits until a condition holds, at most for the profile's retry time. Resolves to true if it holds. */
  async waitFor(condition: () => boolean | Promise<boolean>): Promise<boolean> {
    const deadline = performance.now() + this.profile.timing.retryWithinSeconds * 1000;
    while (!(await condition())) {
      if (performance.now() >= deadline) return false;
      await pause(POLL_MS);
    }
    return true;
  }

  async open(url: string, browser: Browser): Promise<readonly RoundTrip[]> {
    return await browser.follow({ method: 'GET', url: resolved(url, appOf(this.profile)), headers: {} });
  }

  async #memberBrowser(): Promise<Browser> {
    if (this.#member === undefined) {
      this.#member = new Browser();
      this.service.visitor = newVisitor();
      this.service.script = ordinaryScript;
      await this.#send('signIn', { parameters: this.newParameters(), browser: this.#member });
    }
    return this.#member;
  }

  async #send(name: ActionName, target: { parameters: ActionParameters; browser: Browser }): Promise<void> {
    if (this.has(name)) await this.#execute(name, { ...target, label: 'preparation' });
  }

  async #execute(
    name: ActionName,
    context: Performance & { readonly browser: Browser },
  ): Promise<{ outcome: ActionOutcome; driven: readonly RoundTrip[] }> {
    const perform = this.performers[name];
    if (perform !== undefined) return { outcome: performedOutcome(await perform(context)), driven: [] };
    const { parameters, browser } = context;
    const action = this.profile.actions[name];
    if (action === undefined) throw new Error(`profile: the action ${name} is missing.`);
    if ('command' in action) {
      const { environment } = this.service;
      const result = await runCommand(filled(action.command, parameters), { environment });
      return { outcome: outcomeOfCommand(action, result), driven: [] };
    }
    const request = actionRequest(action, { app: appOf(this.profile), parameters });
    const driven = name === 'signIn' ? await browser.follow(request) : [await browser.send(request)];
    return { outcome: outcomeOfResponse(name, action, driven.at(-1)?.response), driven };
  }
}

function performedOutcome({ isSuccess, text = '' }: { isSuccess: boolean; text?: string }): ActionOutcome {
  const kind = isSuccess ? 'success' : 'failure';
  return { kind, status: undefined, exitCode: undefined, location: undefined, text };
}

const MAX_REDIRECTS = 15;
const REQUEST_TIMEOUT_MS = 60_000;

/** A browser without scripts: it keeps cookies and follows redirects on demand. */
export class Browser {
  readonly #jar = new CookieJar(undefined, { rejectPublicSuffixes: false });

  /** Sends one request without following its redirect. A failed connection is part of the result. */
  async send(request: SentRequest): Promise<RoundTrip> {
    const { url, headers } = request;
    const cookie = await this.#jar.getCookieString(url);
    const accept = 'text/html,application/json;q=0.9,*/*;q=0.8';
    const sent = { ...request, headers: { accept, ...headers, ...(cookie && { cookie }) } };
    const keep = async (response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const set = Cookie.parse(line);
        if (set) await this.#jar.setCookie(set, url, { ignoreError: true });
      }
    };
    return { ...(await roundTripOf(sent, REQUEST_TIMEOUT_MS, keep)), request };
  }

  async follow(first: SentRequest): Promise<RoundTrip[]> {
    const roundTrips = [await this.send(first)];
    for (let redirects = 0; redirects < MAX_REDIRECTS; redirects += 1) {
      const { request, response } = roundTrips.at(-1) ?? {};
      const location = response?.headers.location;
      const isRedirect = response !== undefined && response.status >= 300 && response.status < 400;
      if (request === undefined || !isRedirect || location === undefined) break;
      roundTrips.push(
        await this.send({ method: 'GET', url: new URL(location, request.url).href, headers: {} }),
      );
    }
    return roundTrips;
  }
}
