import type { SessionSnapshot } from '@latchkey/widget/session';
import { browserActions, networkActions, popupActions, timeActions, userActions } from './actions.ts';
import { createRequestRules } from './browser-invariants.ts';
import { Driver } from './driver.ts';
import { createNetwork, type RoundTrip } from './network.ts';
import { type Action, InvariantError, randomOf, type Schedule, seedOf } from './schedule.ts';
import { createBrowser } from './simulated-browser.ts';
import { type LoadWidget, SERVICE_URL, type Tab, Tabs } from './tabs.ts';
import { createTokenRules, type SimulatedService } from './token-service.ts';
import { createVirtualTime, settle } from './virtual-time.ts';

const CLIENT_ID = 'oac_a1b2c3d4e5f60718293a4b5c';
const CALLBACK_URL = `${SERVICE_URL}/widget/callback/${CLIENT_ID}`;
const START = Date.UTC(2026, 5, 12);
const MAX_TABS = 4;

export interface TabsOptions {
  /** Evaluates the widget's code in a page. */
  load: LoadWidget;
  storage: 'memory' | 'session' | 'local';
  /** @default true */
  hasLocks?: boolean;
  /**
   * Creates the service.
   * @default the token rules without a database
   */
  createService?: (now: () => number) => SimulatedService;
}

/**
 * Runs the widget's real session code in the tabs of one browser. Every request, message, lock, timer and click happens when
 * the schedule says so.
 *
 * @returns the steps, for a comparison of two runs.
 * @throws InvariantError with the steps, if an invariant is violated.
 */
export async function runTabs(schedule: Schedule, options: TabsOptions): Promise<string[]> {
  const simulation = new TabsSimulation(schedule, options);
  return await simulation.driver.run(() => simulation.run(schedule));
}

class TabsSimulation {
  readonly driver: Driver;
  readonly #storage: TabsOptions['storage'];
  readonly #time = createVirtualTime(START);
  readonly #browser = createBrowser(this.#time);
  readonly #service: SimulatedService;
  readonly #network: ReturnType<typeof createNetwork>;
  readonly #tabs: Tabs;
  /** Users of sign-ins that a page completed. With the token rules, every grant has a user of its own. */
  readonly #completed = new Set<string>();
  /** Users whose session was ended by a sign-out. */
  readonly #ended = new Set<string>();

  constructor(schedule: Schedule, options: TabsOptions) {
    const { storage, createService = createTokenRules, load, hasLocks } = options;
    this.#storage = storage;
    const now = () => this.#time.now();
    this.#service = createService(now);
    const rules = createRequestRules({
      now,
      isShared: storage === 'local',
      mayRepeat: storage === 'session',
    });
    // An error in a page's request must end the schedule, not the request.
    const onSend = (roundTrip: RoundTrip) => this.driver.guard(() => rules.onSend(roundTrip));
    this.#network = createNetwork(this.#service, { ...rules, onSend });
    this.#tabs = new Tabs({
      time: this.#time,
      browser: this.#browser,
      service: this.#service,
      rules,
      random: randomOf(seedOf(schedule)),
      load,
      hasLocks,
      session: { clientId: CLIENT_ID, serviceUrl: SERVICE_URL, callbackUrl: CALLBACK_URL, storage },
      fetchOf: this.#network.fetchOf,
      onSnapshot: (snapshot) => this.#note(snapshot),
      onClose: (page) => this.#network.forget(page),
      onReload: (page) => {
        // A tab's own storage survives a reload. Messages to the old page do not, so the new one may miss a sign-out.
        const misses = this.#browser.messages.some(({ to }) => to.page === page);
        if (storage === 'session' && misses) this.#ended.clear();
      },
    });
    this.driver = new Driver({
      ...{ time: this.#time, browser: this.#browser, network: this.#network, tabs: this.#tabs },
      settle,
    });
  }

  async run(schedule: Schedule): Promise<void> {
    this.#tabs.open();
    // Three of four schedules begin with two tabs that are signed in, because most mistakes need such tabs.
    if ((schedule[0] ?? 0) % 4 > 0) await this.driver.beginSignedIn();
    for (const choice of schedule) {
      await this.driver.step(this.#actions(), choice);
      // Other pages may still have the message about a sign-out before them.
      if (this.#service.namesGrants && this.#browser.messages.length === 0) this.#checkEnded();
    }
    await this.driver.recover();
    this.driver.checkNotLoading();
    if (this.#service.namesGrants) this.#checkEnded();
    if (this.#storage === 'local') this.driver.checkConvergence();
  }

  #actions(): Action[] {
    return [
      ...networkActions(this.#network),
      ...browserActions(this.#browser),
      ...timeActions(this.#time, this.#tabs, {
        runNext: () => this.#time.runNext(),
        pass: (ms) => this.driver.pass(ms),
        sleep: (ms) => this.#time.sleep(ms),
      }),
      ...this.#tabs.list.flatMap((tab) => userActions(this.#tabs, tab, (one) => this.#signOut(one))),
      ...popupActions(this.#tabs),
      ...(this.#tabs.list.length < MAX_TABS
        ? [{ name: 'open a tab', weight: 2, run: () => this.#tabs.open() }]
        : []),
      this.#network.isOnline
        ? { name: 'go offline', weight: 1, run: () => this.#network.setOnline(false) }
        : { name: 'go online', weight: 3, run: () => this.#network.setOnline(true) },
      { name: 'revoke all tokens at the service', weight: 1, run: () => this.#service.revokeAll() },
    ];
  }

  async #signOut({ session }: Tab): Promise<void> {
    const ended = [...this.#completed];
    await session.signOut();
    for (const user of ended) this.#ended.add(user);
    this.driver.guard(() => {
      const { signedIn, user } = session.snapshot;
      if (signedIn && user && this.#ended.has(user.sub)) {
        throw new InvariantError(
          'a sign-out wins over a refresh in flight',
          'The page is signed in after its sign-out.',
        );
      }
    });
  }

  #note({ user }: SessionSnapshot): void {
    if (user !== undefined) this.#completed.add(user.sub);
  }

  /** A page that signed out stays so until a new sign-in. */
  #checkEnded(): void {
    for (const { page, session } of this.#tabs.list) {
      const { user } = session.snapshot;
      if (user !== undefined && this.#ended.has(user.sub)) {
        throw new InvariantError(
          'a session that ended is never restored',
          `${page.name} is signed in as ${user.sub}.`,
        );
      }
    }
  }
}
