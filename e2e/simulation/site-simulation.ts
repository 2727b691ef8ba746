import { browserActions, networkActions, popupActions, timeActions, userActions } from './actions.ts';
import { createRequestRules } from './browser-invariants.ts';
import { Driver } from './driver.ts';
import type { KitProcess } from './kit-process.ts';
import { createNetwork, type Network } from './network.ts';
import { createRotationRules } from './rotation-rules.ts';
import { type Action, randomOf, type Schedule, seedOf } from './schedule.ts';
import { SharedStore } from './shared-store.ts';
import { createBrowser } from './simulated-browser.ts';
import { clockAction, returnAction, type SiteWorld, serviceActions, visitActions } from './site-actions.ts';
import { SiteRules } from './site-invariants.ts';
import { CLIENT_ID, type ProcessesOptions, SiteProcesses } from './site-processes.ts';
import { createSiteService, type SiteService } from './site-service.ts';
import { SiteTraffic } from './site-traffic.ts';
import { SiteVisitor } from './site-visitor.ts';
import { type LoadWidget, SERVICE_URL, type Tab, Tabs } from './tabs.ts';
import { createTokenRules, type SimulatedService } from './token-service.ts';
import { createVirtualTime, settle } from './virtual-time.ts';

const CALLBACK_URL = `${SERVICE_URL}/widget/callback/${CLIENT_ID}`;
const START = Date.UTC(2026, 5, 12);
const MINUTE = 60_000;
const MAX_TABS = 3;

export interface SiteOptions extends ProcessesOptions {
  loadWidget: LoadWidget;
  /**
   * Creates the service.
   * @default the token rules without a database
   */
  createService?: (now: () => number) => SimulatedService;
}

/**
 * Runs the widget's session code in tabs, the Express kit in processes and the service, all in simulated time. Every request,
 * call to the store, webhook, message, timer and click happens when the schedule says so.
 *
 * @returns the steps, for a comparison of two runs.
 * @throws InvariantError with the steps, if an invariant is violated.
 */
export async function runSite(schedule: Schedule, options: SiteOptions): Promise<string[]> {
  const simulation = new SiteSimulation(schedule, options);
  return await simulation.driver.run(() => simulation.run(schedule));
}

class SiteSimulation {
  readonly driver: Driver;
  readonly #time = createVirtualTime(START);
  readonly #browser = createBrowser(this.#time);
  readonly #store = new SharedStore(() => this.#time.now());
  readonly #rules: SiteRules;
  readonly #service: SiteService;
  readonly #network: Network;
  readonly #traffic: SiteTraffic;
  readonly #processes: SiteProcesses;
  readonly #visitor: SiteVisitor;
  readonly #tabs: Tabs;
  readonly #world: SiteWorld;
  readonly #hasFaults: boolean;
  readonly #hasClockSteps: boolean;
  #faults = 0;

  constructor(schedule: Schedule, options: SiteOptions) {
    const random = randomOf(seedOf(schedule));
    // Without faults, every end of a session needs a cause.
    this.#hasFaults = (schedule[1] ?? 0) % 3 === 0;
    this.#hasClockSteps = (schedule[2] ?? 0) % 2 === 0;
    const now = () => this.#time.now();
    this.#rules = new SiteRules(now, options.sessions === 'store');
    this.#service = createSiteService((options.createService ?? createTokenRules)(now));
    const pages = createRequestRules({ now, isShared: false, mayRepeat: false });
    this.#traffic = new SiteTraffic({
      ...{ now, pages, rules: this.#rules, rotations: createRotationRules(() => this.#faults) },
      processes: () => this.#processes,
      visitor: () => this.#visitor,
      guard: (check) => this.driver.guard(check),
      checksUsers: this.#service.namesGrants,
    });
    this.#network = createNetwork(this.#service, this.#traffic, (roundTrip, answer) =>
      this.#traffic.route(roundTrip, answer),
    );
    this.#visitor = new SiteVisitor(this.#network);
    this.#processes = new SiteProcesses(options, {
      ...{ time: this.#time, network: this.#network, store: this.#store, random },
    });
    this.#tabs = new Tabs({
      time: this.#time,
      browser: this.#browser,
      service: this.#service,
      rules: pages,
      random,
      load: options.loadWidget,
      session: {
        clientId: CLIENT_ID,
        serviceUrl: SERVICE_URL,
        callbackUrl: CALLBACK_URL,
        backend: '/auth',
      },
      fetchOf: (page) => this.#visitor.fetchOf(page),
      onSnapshot() {},
      onClose: (page) => this.#network.forget(page),
    });
    this.driver = new Driver({
      ...{ time: this.#time, browser: this.#browser, network: this.#network, tabs: this.#tabs },
      settle: settleProcesses,
      waiting: () => this.#store.waiting[0]?.run,
    });
    this.#world = {
      ...{ driver: this.driver, service: this.#service, rules: this.#rules, random },
      ...{ processes: this.#processes, visitor: this.#visitor, pass: (ms) => this.#pass(ms) },
    };
  }

  async run(schedule: Schedule): Promise<void> {
    this.#tabs.open();
    if ((schedule[0] ?? 0) % 4 > 0) await this.driver.beginSignedIn();
    for (const choice of schedule) await this.driver.step(this.#actions(), choice);
    await this.driver.recover();
    this.driver.checkNotLoading();
    this.driver.checkConvergence();
  }

  #actions(): Action[] {
    return [
      ...networkActions(this.#network),
      ...this.#store.actions(this.#hasFaults).map((action) => this.#countingFaults(action)),
      ...browserActions(this.#browser),
      ...timeActions(this.#time, this.#tabs, {
        runNext: () => this.#runNext(),
        pass: (ms) => this.#pass(ms),
        sleep: (ms) => this.#sleep(ms),
      }),
      returnAction(this.#world),
      ...this.#tabs.list.flatMap((tab) => userActions(this.#tabs, tab, signOut)),
      ...popupActions(this.#tabs),
      ...(this.#tabs.list.length < MAX_TABS
        ? [{ name: 'open a tab', weight: 2, run: () => this.#tabs.open() }]
        : []),
      ...visitActions(this.#world),
      ...serviceActions(this.#world),
      ...this.#processes.list.flatMap((process) => this.#processActions(process)),
    ];
  }

  #processActions(process: KitProcess): Action[] {
    const crash = { name: `${process.name} crashes`, weight: 1, run: () => this.#crash(process) };
    return [
      ...(this.#hasClockSteps ? [clockAction(this.#world, process)] : []),
      ...(this.#hasFaults ? [crash] : []),
    ];
  }

  async #runNext(): Promise<void> {
    if (this.#hasFaults) this.#stallStore();
    else await this.driver.work();
    this.#time.runNext();
  }

  async #pass(ms: number): Promise<void> {
    // Retries during an hour without any answer would leave hundreds of requests behind.
    if (ms > 10 * MINUTE) return await this.driver.passDelivering(ms);
    if (!this.#hasFaults) return await this.driver.passWorking(ms);
    this.#stallStore();
    await this.driver.pass(ms);
    this.#stallStore();
  }

  /** The user's computer sleeps. The processes of the site do not. */
  async #sleep(ms: number): Promise<void> {
    this.#time.delay(ms, (owner) => !this.#processes.owns(owner));
    await this.driver.passDelivering(ms);
  }

  #crash(process: KitProcess): void {
    this.#fault();
    this.#processes.crash(process);
    for (const roundTrip of this.#traffic.handledBy(process.owner)) this.#network.lose(roundTrip);
  }

  /** A store that does not respond in time fails. */
  #stallStore(): void {
    if (this.#store.waiting.length > 0) this.#fault();
  }

  /** Requests that fail or crash can leave rotated tokens behind. */
  #countingFaults(action: Action): Action {
    if (!/^(fail|lose)/.test(action.name)) return action;
    return {
      ...action,
      run: () => {
        this.#fault();
        return action.run();
      },
    };
  }

  #fault(): void {
    this.#faults += 1;
    this.#rules.fault();
  }
}

async function signOut({ session }: Tab): Promise<void> {
  void session.signOut();
}

/** Bodies of requests and responses are streams, which take several turns. */
async function settleProcesses(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await settle();
}
