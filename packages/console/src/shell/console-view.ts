import type { ControlClient } from '@latchkey/sandbox/client';
import { LitElement, type ReactiveController, type ReactiveControllerHost } from 'lit';
import type { Live, LiveEvent } from '../api/live.js';
import type { Option } from '../parts/form-parts.js';
import type { Place } from './place.js';

/** Events within this time cause one refresh, in milliseconds. */
const COLLECT_MS = 250;
/** Milliseconds between the end of a refresh and the next one. A busy sandbox sends hundreds of events a second. */
const PAUSE_MS = 1_000;

/** Re-reads a view's data after events: soon after the first one, and about once a second while they go on. */
export class PacedRefresh implements ReactiveController {
  readonly #load: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isLoading = false;
  #isAsked = false;
  #endedAt = Number.NEGATIVE_INFINITY;

  constructor(host: ReactiveControllerHost, load: () => Promise<void>) {
    this.#load = load;
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isAsked = false;
  }

  ask(): void {
    if (this.#isLoading) this.#isAsked = true;
    else this.#timer ??= setTimeout(() => void this.#run(), this.#waitMs());
  }

  #waitMs(): number {
    return Math.max(COLLECT_MS, this.#endedAt + PAUSE_MS - performance.now());
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isLoading = true;
    try {
      await this.#load();
    } finally {
      this.#isLoading = false;
      this.#endedAt = performance.now();
    }
    if (!this.#isAsked) return;
    this.#isAsked = false;
    this.ask();
  }
}

/** Values that the server writes into the page. */
export interface ConsoleSettings {
  readonly baseUrl: string;
  /** Token of the control API; null if other machines can open the page. */
  readonly controlToken: string | null;
  /** The service's time when the page was rendered, in milliseconds since the epoch. */
  readonly serviceTime: number;
}

/** An element that calls the control API. The page shows its messages at the top. */
export abstract class ControlElement extends LitElement {
  api!: ControlClient;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  /** Reads what the element shows. Called once it's connected. */
  async load(): Promise<void> {}

  report(error: unknown): void {
    this.#tell('console-error', error);
  }

  /** Shows and announces what was done. */
  announce(text: string): void {
    this.#tell('console-status', text);
  }

  /** Runs an operation. If it fails, shows the failure and returns undefined. */
  async attempt<T>(operation: () => Promise<T>): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

  /** Runs an operation. If it fails, shows the failure and returns false. */
  async succeeds(operation: () => Promise<unknown>): Promise<boolean> {
    return (await this.attempt(async () => [await operation()])) !== undefined;
  }

  #tell(type: 'console-error' | 'console-status', detail: unknown): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

/** Base class of the console's views. The page sets the properties before it connects the element. */
export abstract class ConsoleView extends ControlElement {
  live!: Live;
  settings!: ConsoleSettings;
  /** The query of the page's URL. */
  place!: Place;
  /** Types of events after which the view reads its data again. */
  protected readonly reloadsAfter: readonly string[] = [];
  readonly #refresh = new PacedRefresh(this, () => this.load());
  readonly #endings: (() => void)[] = [];
  #round = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#endings.push(
      this.live.subscribe((event) => this.liveEvent(event)),
      this.place.subscribe(() => {
        this.placeChanged();
        this.requestUpdate();
      }),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.#endings.splice(0)) end();
  }

  /** Runs an operation like {@link attempt}, but drops its result if a later one has begun. */
  protected async latest<T>(operation: () => Promise<T>): Promise<T | undefined> {
    this.#round += 1;
    const round = this.#round;
    const answer = await this.attempt(operation);
    return round === this.#round ? answer : undefined;
  }

  protected liveEvent({ type }: LiveEvent): void {
    if (this.reloadsAfter.includes(type)) this.#refresh.ask();
  }

  /** Called after the browser went back or forward. */
  protected placeChanged(): void {}
}

export async function webhookOptions(api: ControlClient): Promise<readonly Option[]> {
  const { webhooks = [], labels } = await api.call('GET /data/{kind}', { kind: 'webhooks', limit: 500 });
  return webhooks.map(({ id, url, communityId, productId }) => [
    String(id),
    `${labels[String(communityId ?? productId)] ?? 'Unknown'}, ${String(url)}`,
  ]);
}
