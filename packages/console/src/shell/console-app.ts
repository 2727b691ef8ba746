import { ControlClient, ControlError } from '@latchkey/sandbox/client';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { Live } from '../api/live.js';
import './fault-banner.js';
import { baseStyles } from '../parts/base.styles.js';
import { closeIcon } from '../parts/icons.js';
import type { ConsoleSettings, ConsoleView } from './console-view.js';
import { Place } from './place.js';

const FORMAT = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  ...{ hourCycle: 'h23', timeZone: 'UTC' },
});

/** Milliseconds between two updates of the displayed time, which shows minutes. */
const TICK_MS = 5000;

/**
 * Keeps the service's time at the top of the page up to date. It runs with the machine's clock, and jumps when somebody
 * moves it.
 *
 * @param serviceTime the service's time when the page was rendered, in milliseconds since the epoch.
 */
function followServiceTime(serviceTime: number, live: Live): void {
  const element = document.querySelector<HTMLTimeElement>('#service-time time');
  if (element === null) return;
  let ahead = serviceTime - Date.now();
  const show = () => {
    const date = new Date(Date.now() + ahead);
    element.dateTime = date.toISOString();
    element.textContent = `${FORMAT.format(date)} UTC`;
  };
  setInterval(show, TICK_MS);
  live.subscribe(({ type, data }) => {
    if (type !== 'clock' && type !== 'reset') return;
    const { serviceTime: moved } = data as { serviceTime: string };
    ahead = Date.parse(moved) - Date.now();
    show();
  });
}

function readSettings(): ConsoleSettings {
  const text = document.getElementById('console-settings')?.textContent;
  if (text === null || text === undefined) throw new Error('The page has no settings.');
  return JSON.parse(text) as ConsoleSettings;
}

const TOKEN_KEY = 'latchkey-control-token';

/** The console on a page: loads the page's view, and shows its failures. */
export class ConsoleApp extends LitElement {
  static override styles = [
    baseStyles,
    css`
      .notice {
        justify-content: space-between;
        padding-block: 0.375rem;
        margin-block-end: 0.75rem;
      }
      .text {
        align-self: center;
        min-inline-size: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];
  static views: Readonly<Record<string, () => Promise<unknown>>> = {};

  @property() view!: string;
  @state() private _failure = '';
  @state() private _status = '';
  @state() private _asksToken: boolean;
  readonly #settings = readSettings();
  #token = this.#settings.controlToken ?? sessionStorage.getItem(TOKEN_KEY) ?? '';
  /** Properties for elements that call the control API. */
  #given: Pick<ConsoleView, 'api' | 'live' | 'settings' | 'place'> | undefined;
  #element: ConsoleView | undefined;

  constructor() {
    super();
    this._asksToken = this.#token === '';
    this.addEventListener('console-error', (event) => this.#fail((event as CustomEvent<unknown>).detail));
    this.addEventListener('console-status', (event) => {
      this._failure = '';
      this._status = (event as CustomEvent<string>).detail;
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (!this._asksToken) void this.#start();
  }

  async #start(): Promise<void> {
    const load = ConsoleApp.views[this.view];
    if (load === undefined) return this.#fail(new Error(`The console has no view "${this.view}".`));
    const api = new ControlClient({ token: () => this.#token });
    const live = new Live(api);
    this.#given = { api, live, settings: this.#settings, place: new Place() };
    followServiceTime(this.#settings.serviceTime, live);
    try {
      await load();
    } catch {
      return this.#fail(
        new Error('The console could not load. It may have been built again: reload the page.'),
      );
    }
    const element = document.createElement(`console-${this.view}`);
    this.#element = Object.assign(element as ConsoleView, this.#given);
    this.requestUpdate();
  }

  #fail(error: unknown): void {
    if (error instanceof ControlError && error.status === 401) {
      sessionStorage.removeItem(TOKEN_KEY);
      this._asksToken = true;
      this.#element = undefined;
      this._failure = this.#token === '' ? '' : 'The token is wrong. Copy it from the output of the sandbox.';
      return;
    }
    this._status = '';
    this._failure = error instanceof Error ? error.message : String(error);
  }

  #useToken(event: SubmitEvent): void {
    event.preventDefault();
    const token = new FormData(event.target as HTMLFormElement).get('token');
    this.#token = String(token ?? '').trim();
    sessionStorage.setItem(TOKEN_KEY, this.#token);
    this._asksToken = false;
    this._failure = '';
    void this.#start();
  }

  protected override render(): TemplateResult {
    return html`
      ${this._failure === '' ? nothing : notice('alert', this._failure, () => (this._failure = ''))}
      ${this._status === '' ? nothing : notice('status', this._status, () => (this._status = ''))}
      ${this.#element === undefined ? nothing : html`<console-fault-banner .api=${this.#given?.api} .live=${this.#given?.live} .place=${this.#given?.place} ?is-on-faults=${this.view === 'faults'}></console-fault-banner>`}
      ${this._asksToken ? this.#tokenForm() : (this.#element ?? html`<p class="muted loading">Loading…</p>`)}
    `;
  }

  #tokenForm(): TemplateResult {
    return html`<form class="panel token" @submit=${this.#useToken}>
      <label for="token">Control token</label>
      <p class="muted" id="token-hint">
        Other machines can open this page, so it does not contain the token. The sandbox printed it at its start. This tab
        keeps it until you close it.
      </p>
      <div class="row">
        <input id="token" name="token" type="password" autocomplete="off" required aria-describedby="token-hint" />
        <button class="button primary small">Open the console</button>
      </div>
    </form>`;
  }
}

function notice(kind: 'alert' | 'status', text: string, close: () => void): TemplateResult {
  return html`<div class="notice ${kind === 'alert' ? 'refusal' : ''}">
    <div class="text" role=${kind}>${text}</div>
    <button class="icon-button" type="button" aria-label="Close" @click=${close}>${closeIcon}</button>
  </div>`;
}
