import { LitElement } from 'lit';
import type { ControlApi } from '../api/control-api.js';
import type { Live, LiveEvent } from '../api/live.js';
import type { Place } from './place.js';
import type { ConsoleSettings } from './settings.js';

/** Parts of the page that every view uses. */
export interface ConsoleContext {
  readonly api: ControlApi;
  readonly live: Live;
  readonly settings: ConsoleSettings;
  readonly place: Place;
}

/** Event with which a view tells the page that a call failed. */
export class ConsoleErrorEvent extends Event {
  readonly error: unknown;

  constructor(error: unknown) {
    super('console-error', { bubbles: true, composed: true });
    this.error = error;
  }
}

/** Event with which a view tells the page what it did. */
export class ConsoleStatusEvent extends Event {
  readonly text: string;

  constructor(text: string) {
    super('console-status', { bubbles: true, composed: true });
    this.text = text;
  }
}

/** Base of the console's views. The page sets {@link context} before it connects the element. */
export abstract class ConsoleView extends LitElement {
  declare context: ConsoleContext;
  readonly #endings: (() => void)[] = [];

  get api(): ControlApi {
    return this.context.api;
  }

  get live(): Live {
    return this.context.live;
  }

  get settings(): ConsoleSettings {
    return this.context.settings;
  }

  /** Query of the page's address. */
  get place(): Place {
    return this.context.place;
  }

  /** Shows a failure at the top of the page. */
  report(error: unknown): void {
    this.dispatchEvent(new ConsoleErrorEvent(error));
  }

  /** Shows and announces what was done. */
  announce(text: string): void {
    this.dispatchEvent(new ConsoleStatusEvent(text));
  }

  /** Runs an operation. Shows its failure, and returns undefined then. */
  async attempt<T>(operation: () => Promise<T>): Promise<T | undefined> {
    try {
      return await operation();
    } catch (error) {
      this.report(error);
      return undefined;
    }
  }

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

  /** Called with each event of the sandbox. */
  protected liveEvent(_event: LiveEvent): void {}

  /** Called after the browser went back or forward. */
  protected placeChanged(): void {}
}
