import { randomUUID } from 'node:crypto';
import { signWebhook } from '@latchkey/express/testing';
import type { LoadKit } from './kit-module.ts';
import { type KitProcess, startKitProcess, WEBHOOK_SECRET } from './kit-process.ts';
import type { Network } from './network.ts';
import type { SharedStore } from './shared-store.ts';
import { SITE } from './simulated-browser.ts';
import { membershipIdOf } from './site-service.ts';
import { SERVICE_URL } from './tabs.ts';
import type { VirtualTime } from './virtual-time.ts';

export const CLIENT_ID = 'oac_a1b2c3d4e5f60718293a4b5c';
const COOKIE_SECRET = 'a cookie secret of more than 32 characters';
const CLIENT_SECRET = `ocs_${'ab'.repeat(24)}`;

export interface ProcessesOptions {
  loadKit: LoadKit;
  /** `sealed`: one process with sealed cookies. `store`: two processes with a shared store and a lock. */
  sessions: 'sealed' | 'store';
  /**
   * False for processes that share a store without a lock.
   * @default true
   */
  hasLock?: boolean;
  /**
   * Secret of the confidential client; null for a public client, which cannot revoke.
   * @default a secret
   */
  clientSecret?: string | null;
}

interface ProcessesWorld {
  time: VirtualTime;
  network: Network;
  store: SharedStore;
  random: () => number;
}

/** State of a user's membership, as a webhook reports it. */
interface MembershipReport {
  sub: string;
  isActive: boolean;
}

/** The processes of the site's backend. */
export class SiteProcesses {
  readonly list: KitProcess[];
  readonly #options: ProcessesOptions;
  readonly #world: ProcessesWorld;
  readonly #startedAt: number;
  #started = 0;

  constructor(options: ProcessesOptions, world: ProcessesWorld) {
    this.#options = options;
    this.#world = world;
    this.#startedAt = world.time.now();
    this.list = Array.from({ length: options.sessions === 'store' ? 2 : 1 }, () => this.#start());
  }

  /** True for the owner of a running process. */
  owns(owner: object): boolean {
    return this.list.some((process) => process.owner === owner);
  }

  /** Chooses the process that receives the next request. */
  choose(): KitProcess {
    return this.list[Math.floor(this.#world.random() * this.list.length)] as KitProcess;
  }

  /** Ends a process and what it waits for, and starts another in its place. */
  crash(process: KitProcess): void {
    const { time, network, store } = this.#world;
    network.forget(process.owner);
    store.forget(process.owner);
    time.clearOwner(process.owner);
    this.list[this.list.indexOf(process)] = this.#start();
  }

  /** Sends a webhook to a process. `onConfirmed` runs if the process confirms it. */
  notify(process: KitProcess, { sub, isActive }: MembershipReport, onConfirmed: () => void): void {
    const membership = {
      ...{ id: membershipIdOf(sub), productType: 'community', isActive },
      ...{ validFrom: new Date(this.#startedAt).toISOString(), validUntil: null },
    };
    const event = {
      ...{ type: 'membership.updated', id: randomUUID() },
      createdAt: new Date(this.#world.time.now()).toISOString(),
      data: { membership, user: { sub, email: null }, communityId: randomUUID(), productId: null },
    };
    const { headers, body } = signWebhook(event, { secret: WEBHOOK_SECRET });
    process.handle({ method: 'POST', url: '/hooks', headers, body }, ({ status }) => {
      if (status < 300) onConfirmed();
    });
  }

  #start(): KitProcess {
    this.#started += 1;
    const { time, random, network, store } = this.#world;
    const { loadKit, sessions, hasLock = true, clientSecret = CLIENT_SECRET } = this.#options;
    return startKitProcess({
      name: `process ${this.#started}`,
      load: loadKit,
      time,
      random,
      options: (owner) => ({
        serviceUrl: SERVICE_URL,
        clientId: CLIENT_ID,
        ...(clientSecret !== null && { clientSecret }),
        appUrl: SITE,
        cookieSecret: COOKIE_SECRET,
        fetch: network.fetchOf(owner),
        ...(sessions === 'store' && {
          session: { store: store.storeOf(owner), ...(hasLock && { lock: store.lockOf(owner) }) },
        }),
      }),
    });
  }
}
