import type { LoginSession, LoginSessionOptions, SessionSnapshot } from '@latchkey/widget/session';
import type { RequestRules } from './browser-invariants.ts';
import type { Page, PageOptions, Popup, SimulatedBrowser } from './simulated-browser.ts';
import type { SimulatedService } from './token-service.ts';
import type { VirtualTime } from './virtual-time.ts';

export const SERVICE_URL = 'https://service.example';

/** The widget's session module, as it runs in one page. */
export interface SessionModule {
  createLoginSession(options: LoginSessionOptions): LoginSession;
}

/** Evaluates the widget's code in a page. */
export type LoadWidget = (environment: Page['environment']) => SessionModule;

/** Page with the widget's session. */
export interface Tab {
  readonly page: Page;
  readonly session: LoginSession;
}

/** Popup that has not answered yet, with the number of its page's attempt. */
export interface OpenedPopup {
  readonly popup: Popup & { window?: object };
  readonly attempt: number;
}

export interface TabsWorld {
  time: VirtualTime;
  browser: SimulatedBrowser;
  service: SimulatedService;
  rules: Pick<RequestRules, 'beginAttempt' | 'attemptOf' | 'issued'>;
  random: () => number;
  load: LoadWidget;
  /** @default true */
  hasLocks?: boolean | undefined;
  /** Options of each tab's session. */
  session: LoginSessionOptions;
  /** Creates the `fetch` of a page. */
  fetchOf(page: object): typeof fetch;
  onSnapshot(snapshot: SessionSnapshot, page: Page): void;
  /** A page ends. Its requests lose their sender. */
  onClose(page: Page): void;
  /** A page is about to be replaced by itself. */
  onReload?(page: Page): void;
}

/** The tabs of one browser, with the popups that they opened. */
export class Tabs {
  readonly list: Tab[] = [];
  readonly popups: OpenedPopup[] = [];
  readonly #world: TabsWorld;
  #count = 0;

  constructor(world: TabsWorld) {
    this.#world = world;
  }

  /** True if no popup is open. */
  get areIdle(): boolean {
    return this.list.every(({ page }) => page.popups.every(({ closed }) => closed));
  }

  open(sessionStorage?: Map<string, string>): void {
    this.#count += 1;
    const { browser, time, load, random, fetchOf, hasLocks = true, session: options } = this.#world;
    const setup: PageOptions = { fetch: fetchOf({}), random, hasLocks, onOpen() {} };
    if (sessionStorage) setup.sessionStorage = sessionStorage;
    const page = browser.openPage(`tab ${this.#count}`, setup);
    const { setTimeout, clearTimeout } = page.environment as unknown as Pick<
      typeof globalThis,
      'setTimeout' | 'clearTimeout'
    >;
    const session = load(page.environment).createLoginSession({
      ...options,
      fetch: fetchOf(page),
      clock: { now: () => time.now() },
      timers: { setTimeout, clearTimeout: (handle) => clearTimeout(handle as never) },
    });
    void session.prepare();
    session.subscribe((snapshot) => this.#world.onSnapshot(snapshot, page));
    this.list.push({ page, session });
  }

  close(tab: Tab): void {
    const { browser, onClose } = this.#world;
    this.list.splice(this.list.indexOf(tab), 1);
    browser.closePage(tab.page);
    this.popups.splice(0, this.popups.length, ...this.popups.filter(({ popup }) => popup.page !== tab.page));
    onClose(tab.page);
    tab.session.dispose();
  }

  reload(tab: Tab): void {
    this.#world.onReload?.(tab.page);
    this.close(tab);
    this.open(tab.page.sessionStorage);
  }

  /** The user clicks. A click during an attempt focuses its popup. */
  signIn({ page, session }: Tab): void {
    const before = page.popups.length;
    session.signIn();
    const popup = page.popups.at(-1);
    if (popup === undefined || page.popups.length === before) return;
    const { rules } = this.#world;
    rules.beginAttempt(page);
    this.popups.push({ popup, attempt: rules.attemptOf(page) });
  }

  /** The service sends the code to the page. A severed popup answers although it reads as closed. */
  async answer(opened: OpenedPopup): Promise<void> {
    const { popup, attempt } = opened;
    const { url, page, window } = popup;
    if (url === undefined) return;
    this.popups.splice(this.popups.indexOf(opened), 1);
    const { service, rules } = this.#world;
    const code = await service.issueCode(url);
    rules.issued(code, page, attempt);
    const data = { type: 'latchkey:authorization-response', state: url.searchParams.get('state'), code };
    page.dispatch('window', 'message', { origin: SERVICE_URL, source: window, data });
  }
}
