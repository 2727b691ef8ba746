import { createHash } from 'node:crypto';
import { simulatedAbortSignal } from './simulated-abort-signal.ts';
import { createLocks, type LockRequest } from './simulated-locks.ts';
import { createPopup, type Popup as OpenedWindow } from './simulated-popup.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Global names that the widget's session uses. Each simulated page has its own. */
export const PAGE_NAMES = [
  ...[
    'document',
    'location',
    'self',
    'top',
    'navigator',
    'history',
    'BroadcastChannel',
    'localStorage',
    'sessionStorage',
  ],
  ...[
    'addEventListener',
    'open',
    'screenX',
    'screenY',
    'outerWidth',
    'outerHeight',
    'matchMedia',
    'globalThis',
  ],
  ...[
    'setTimeout',
    'clearTimeout',
    'AbortSignal',
    'crypto',
    'fetch',
    'reportError',
    'console',
    'simulatedPause',
  ],
] as const;

/** Origin of the simulated site. */
export const SITE = 'https://shop.example';

/** Sign-in window of a page. */
export type Popup = OpenedWindow<Page>;

/** Loaded page of one tab. */
export interface Page {
  readonly name: string;
  readonly environment: Readonly<Record<string, unknown>>;
  readonly popups: Popup[];
  readonly sessionStorage: Map<string, string>;
  /** Dispatches an event to the window or the document. */
  dispatch(target: 'window' | 'document', type: string, fields?: object): void;
}

/** Message on its way to a page. */
interface Message {
  to: Channel;
  data: unknown;
}

interface Channel {
  page: Page;
  name: string;
  isOpen: boolean;
  onmessage?: ((event: { data: unknown }) => void) | null | undefined;
}

/** Browser profile: the pages of one site with their shared storage, channels and locks. */
export interface SimulatedBrowser {
  readonly localStorage: Map<string, string>;
  /** Messages between pages, oldest first. Those to one page keep their order. */
  readonly messages: readonly Message[];
  /** Lock requests that can be granted. */
  grantable(): LockRequest<Page>[];
  deliverMessage(message: Message): void;
  openPage(name: string, options: PageOptions): Page;
  /** Ends a page: its locks are released, its timers and channels end. */
  closePage(page: Page): void;
}

export interface PageOptions {
  fetch: typeof fetch;
  sessionStorage?: Map<string, string>;
  random: () => number;
  /** False for a browser without Web Locks. */
  hasLocks: boolean;
  onOpen(popup: Popup): void;
}

export function createBrowser(time: VirtualTime): SimulatedBrowser {
  const localStorage = new Map<string, string>();
  const channels = new Set<Channel>();
  const messages: Message[] = [];
  const locks = createLocks<Page>();
  const closed = new Set<Page>();

  return {
    localStorage,
    messages,
    grantable: locks.grantable,
    deliverMessage(message) {
      messages.splice(messages.indexOf(message), 1);
      if (message.to.isOpen) message.to.onmessage?.({ data: message.data });
    },
    openPage(name, options) {
      const windowEvents = new EventTarget();
      const documentEvents = new EventTarget();
      const popups: Popup[] = [];
      const sessionStorage = options.sessionStorage ?? new Map();
      const crypto = simulatedCrypto(options.random);
      const self = { origin: SITE };
      const page = { name, popups, sessionStorage } as unknown as Page & { environment: Page['environment'] };
      return Object.assign(page, {
        dispatch(target: 'window' | 'document', type: string, fields: object = {}) {
          if (closed.has(page)) return;
          (target === 'window' ? windowEvents : documentEvents).dispatchEvent(
            Object.assign(new PageEvent(type), fields),
          );
        },
        environment: {
          document: {
            ...{ baseURI: `${SITE}/`, visibilityState: 'visible', hasFocus: () => true },
            addEventListener: documentEvents.addEventListener.bind(documentEvents),
          },
          addEventListener: windowEvents.addEventListener.bind(windowEvents),
          location: { href: `${SITE}/`, origin: SITE, replace() {}, assign() {} },
          ...{ self, top: self },
          history: { state: null, replaceState() {} },
          navigator: {
            userAgent: 'Simulated',
            ...(options.hasLocks && {
              locks: {
                request: (lock: string, { signal }: { signal: AbortSignal }, work: () => Promise<unknown>) =>
                  locks.request({ page, name: lock, signal }, work),
              },
            }),
          },
          BroadcastChannel: channelClass(page),
          localStorage: storageOf(localStorage),
          sessionStorage: storageOf(sessionStorage),
          open(url: string) {
            const popup = createPopup(page, url);
            popups.push(popup);
            options.onOpen(popup);
            return popup.window;
          },
          ...{
            screenX: 0,
            screenY: 0,
            outerWidth: 800,
            outerHeight: 600,
            matchMedia: () => ({ matches: false }),
          },
          globalThis: { crypto },
          setTimeout: (callback: () => void, ms = 0) => time.setTimer(page, callback, ms),
          clearTimeout: time.clearTimer,
          AbortSignal: simulatedAbortSignal(page, time),
          crypto,
          fetch: () => Promise.reject(new TypeError('The session must use the fetch of its options.')),
          reportError(error: unknown) {
            throw error;
          },
          console: { info() {}, error() {} },
          simulatedPause: undefined,
        },
      });
    },
    closePage(page) {
      closed.add(page);
      time.clearOwner(page);
      for (const channel of channels) if (channel.page === page) channel.isOpen = false;
      locks.release(page);
      for (const popup of page.popups) popup.closed = true;
    },
  };

  function channelClass(page: Page) {
    return class {
      readonly #channel: Channel;
      constructor(name: string) {
        this.#channel = { page, name, isOpen: true };
        channels.add(this.#channel);
      }
      set onmessage(listener: Channel['onmessage']) {
        this.#channel.onmessage = listener;
      }
      postMessage(data: unknown) {
        if (!this.#channel.isOpen) return;
        for (const to of channels) {
          if (to === this.#channel || to.name !== this.#channel.name || !to.isOpen) continue;
          messages.push({ to, data: structuredClone(data) });
        }
      }
      close() {
        this.#channel.isOpen = false;
        channels.delete(this.#channel);
      }
    };
  }
}

/** The fields of an event that the session reads can be assigned. */
class PageEvent extends Event {
  declare origin: string;
  declare source: unknown;
  declare data: unknown;
}

function storageOf(entries: Map<string, string>) {
  return {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  };
}

/** Random values that the schedule determines, and a digest that needs no thread. */
function simulatedCrypto(random: () => number) {
  return {
    getRandomValues(values: Uint8Array) {
      for (let index = 0; index < values.length; index += 1) values[index] = Math.floor(random() * 256);
      return values;
    },
    subtle: {
      digest: async (_name: string, data: Uint8Array) => {
        const bytes = createHash('sha256').update(data).digest();
        return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      },
    },
  };
}
