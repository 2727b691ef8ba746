import type { Network, RoundTrip } from './network.ts';
import { type Action, chooseAction, InvariantError } from './schedule.ts';
import type { SimulatedBrowser } from './simulated-browser.ts';
import type { Tabs } from './tabs.ts';
import type { VirtualTime } from './virtual-time.ts';

const SECOND = 1_000;
/** States that a page leaves by itself once all requests are answered. */
const LOADING = ['checking', 'opening', 'exchanging'];

export interface DriverWorld {
  time: VirtualTime;
  browser: SimulatedBrowser;
  network: Network;
  tabs: Tabs;
  /** Runs everything that follows from what just happened, except what waits for the simulation. */
  settle(): Promise<void>;
  /** Work besides pages and network that waits for the simulation, such as calls to a store. */
  waiting?(): (() => unknown) | undefined;
}

export interface DeliveryExceptions {
  /** True for a request that is lost before it reaches its target. */
  isLost?(roundTrip: RoundTrip): boolean;
  /** True for a request whose response stays on its way. */
  isHeld?(roundTrip: RoundTrip): boolean;
}

/** Runs the steps of one schedule, and brings everything to its end afterwards. */
export class Driver {
  readonly steps: string[] = [];
  readonly #world: DriverWorld;
  #failure: InvariantError | undefined;

  constructor(world: DriverWorld) {
    this.#world = world;
  }

  /**
   * Runs a schedule.
   * @returns the steps.
   * @throws InvariantError with the steps, if an invariant is violated.
   */
  async run(schedule: () => Promise<void>): Promise<string[]> {
    try {
      await schedule();
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      throw new InvariantError(
        error.invariant,
        `Violated: ${error.invariant}. ${error.message}\n  ${this.steps.join('\n  ')}`,
      );
    }
    return this.steps;
  }

  /** Keeps the violation of a check inside of the code under test, which would handle the error. */
  guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      if (!(error instanceof InvariantError)) throw error;
      this.#failure ??= error;
    }
  }

  /** Runs one of the actions that are possible now. */
  async step(actions: readonly Action[], choice: number): Promise<void> {
    const action = chooseAction(actions, choice);
    if (action === undefined) return;
    this.steps.push(`${new Date(this.#world.time.now()).toISOString()} ${action.name}`);
    await action.run();
    await this.#settle();
  }

  /** Signs in the first tab, and opens a second one. */
  async beginSignedIn(): Promise<void> {
    const { tabs } = this.#world;
    const [tab] = tabs.list;
    if (tab === undefined) return;
    await this.#settle();
    tabs.signIn(tab);
    await this.deliverAll();
    const [opened] = tabs.popups;
    if (opened) await tabs.answer(opened);
    await this.deliverAll();
    tabs.open();
    await this.deliverAll();
  }

  /** Lets time pass with its timers. */
  async pass(ms: number): Promise<void> {
    await this.#passWith(ms, () => this.#settle());
  }

  /** Lets time pass while other work that waits for the simulation is done. */
  async passWorking(ms: number): Promise<void> {
    await this.work();
    await this.#passWith(ms, () => this.work());
  }

  /** Does the other work that waits for the simulation. */
  async work(): Promise<void> {
    const { waiting } = this.#world;
    await this.#settle();
    for (let next = waiting?.(); next !== undefined; next = waiting?.()) {
      next();
      await this.#settle();
    }
  }

  /** Lets time pass while the network works. */
  async passDelivering(ms: number): Promise<void> {
    await this.deliverAll();
    await this.#passWith(ms, () => this.deliverAll());
  }

  /** Delivers everything that is on its way, with exceptions. */
  async deliverAll({ isLost, isHeld }: DeliveryExceptions = {}): Promise<void> {
    const { network, browser, waiting } = this.#world;
    for (;;) {
      await this.#settle();
      const [message] = browser.messages;
      const roundTrip = network.roundTrips.find(
        (one) => one.state !== 'handled' && !(one.state === 'answered' && isHeld?.(one)),
      );
      const [lock] = browser.grantable();
      const other = waiting?.();
      if (message) browser.deliverMessage(message);
      else if (other) other();
      else if (roundTrip?.state === 'sent' && isLost?.(roundTrip)) network.lose(roundTrip);
      else if (roundTrip?.state === 'sent') await network.execute(roundTrip);
      else if (roundTrip) network.deliver(roundTrip);
      else if (lock) lock.grant();
      else return;
    }
  }

  /** The network works again and every page is shown: all requests, messages, locks and timers come to their end. */
  async recover(): Promise<void> {
    const { network, tabs } = this.#world;
    network.setOnline(true);
    for (let round = 0; round < 4; round += 1) {
      await this.deliverAll();
      for (const { page } of tabs.list) {
        page.dispatch('window', 'online');
        page.dispatch('document', 'visibilitychange');
      }
      await this.deliverAll();
      await this.passDelivering(20 * SECOND);
    }
  }

  /** Checks that nothing waits for a response that has arrived. */
  checkNotLoading(): void {
    for (const { page, session } of this.#world.tabs.list) {
      const { status } = session.snapshot;
      if (LOADING.includes(status))
        throw new InvariantError('no state stays loading', `${page.name} is ${status}.`);
    }
  }

  /** Checks that all tabs without an open popup show the same user. */
  checkConvergence(): void {
    const { list } = this.#world.tabs;
    const states = list
      // A tab in a sign-in, or with the error of a sign-out, shows that.
      .filter(
        ({ session: { snapshot: shown } }) =>
          shown.status !== 'waiting' && shown.failure?.during !== 'sign-out',
      )
      .map(({ session: { snapshot } }) => snapshot.user?.sub ?? 'none');
    if (new Set(states).size <= 1) return;
    const shown = list.map(({ page: { name }, session: { snapshot } }) =>
      `${name}: ${snapshot.status} ${snapshot.user?.sub ?? ''}`.trim(),
    );
    throw new InvariantError('all tabs converge', shown.join(', '));
  }

  async #settle(): Promise<void> {
    await this.#world.settle();
    if (this.#failure) throw this.#failure;
  }

  async #passWith(ms: number, after: () => Promise<void>): Promise<void> {
    const { time } = this.#world;
    const end = time.now() + ms;
    for (let next = time.next(); next !== undefined && next <= end; next = time.next()) {
      time.runNext();
      await after();
    }
    time.moveTo(end);
  }
}
