import { type CSSResult, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import type { LiveEvent, LiveState } from '../api/live.js';
import type { ConsoleList, ConsoleListEvent } from '../parts/console-list.js';
import { ConsoleView } from './console-view.js';
import '../parts/console-list.js';

const TYPING_MS = 200;
/** Windows in which the opened entry replaces the list. The styles of a log have the same width. */
const NARROW = '(max-width: 899.98px)';
const LIVE_TEXTS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting…',
  open: 'Live',
  closed: 'Not connected',
};

export interface LogFeed<Row> {
  /** Loaded rows, newest first. */
  readonly entries: readonly Row[];
  /** True once the first page is loaded. */
  readonly isLoaded: boolean;
  /** Loads the newest rows, in place of all that are loaded. */
  reload(): Promise<void>;
  /** Loads older rows, if there are any. */
  loadMore(): Promise<void>;
  /** Receives an event of the sandbox. */
  receive(event: LiveEvent): void;
}

export interface LogTemplates<Row> {
  /** Tools and filters above the log. The field of the search has the id `text`. */
  readonly above: TemplateResult;
  /** Name of the list for screen readers. */
  readonly label: string;
  /** Number of rows as text: "12 requests". */
  readonly count: string;
  /** Number of all rows, of which some are loaded; -1 if unknown. */
  readonly total: number;
  /** State of the log in place of the state of the connection; undefined without one. */
  readonly state?: string | undefined;
  readonly row: (row: Row) => TemplateResult;
  readonly rowStyles: CSSResult;
  /** Shown in place of the rows if there are none. */
  readonly empty: TemplateResult;
  /** Selected entry and its name for screen readers; undefined without one. */
  readonly detail: { readonly label: string; readonly content: TemplateResult } | undefined;
  readonly below?: TemplateResult;
}

/**
 * Base of a log: filters above, the list with the live state, and the selected entry beside it. In a narrow window an entry
 * that is opened replaces the list. `j` and `k` move the selection, `/` focuses the search, Escape closes the entry. The id
 * of the selected entry is in the page's address.
 */
export abstract class LogView<Row extends { readonly id: string }, Entry> extends ConsoleView {
  static override properties: PropertyDeclarations = {
    entry: { state: true },
    _liveState: { state: true },
    _isOpened: { state: true },
  };
  /** Selected entry; undefined while it loads, and without one. */
  declare protected entry: Entry | undefined;
  declare private _liveState: LiveState;
  /** False while keys only moved the selection. */
  declare private _isOpened: boolean;
  protected abstract readonly feed: LogFeed<Row>;
  #typing: ReturnType<typeof setTimeout> | undefined;
  #endWatch: (() => void) | undefined;
  /** Scroll position of the page before an entry replaced the list. */
  #listTop = 0;
  #wasListReplaced = false;
  readonly #pressed = (event: KeyboardEvent) => this.#press(event);

  constructor() {
    super();
    this._liveState = 'connecting';
    this._isOpened = true;
  }

  /** Loads the entry with this id. */
  protected abstract loadEntry(id: string): Promise<Entry>;
  protected abstract templates(): LogTemplates<Row>;

  /** True while the keys of the log are off, such as under a dialog. */
  protected get ignoresKeys(): boolean {
    return false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#endWatch = this.live.watchState((state) => {
      this._liveState = state;
    });
    document.addEventListener('keydown', this.#pressed);
    void this.reloadList();
    void this.showEntry();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#pressed);
    this.#endWatch?.();
    clearTimeout(this.#typing);
  }

  protected override liveEvent(event: LiveEvent): void {
    this.feed.receive(event);
    if (event.type === 'reset') this.close();
  }

  protected override placeChanged(): void {
    this._isOpened = true;
    void this.feed.reload();
    void this.showEntry();
  }

  /** Loads the list again, and scrolls to the selected row. */
  protected async reloadList(): Promise<void> {
    await this.feed.reload();
    this.reveal();
  }

  /** Scrolls to the selected row. */
  protected reveal(): void {
    this.#list?.reveal();
  }

  /** Selects an entry. In a narrow window it replaces the list, unless `isOpened` is false. */
  protected select(id: string, { isOpened = true }: { isOpened?: boolean } = {}): void {
    // The browser's Back button then returns to the list.
    if (isOpened && matchMedia(NARROW).matches && !this.#isListReplaced) this.place.push({ id });
    else this.place.replace({ id });
    this._isOpened = isOpened;
    this.requestUpdate();
    void this.showEntry();
  }

  protected close(): void {
    this.place.replace({ id: null });
    this.entry = undefined;
    this.requestUpdate();
  }

  /** Closes the entry for its own button, and returns the focus to the list. */
  protected async closeToList(): Promise<void> {
    this.close();
    await this.updateComplete;
    this.#list?.focus({ preventScroll: true });
  }

  /** Loads the selected entry. */
  protected async showEntry(): Promise<void> {
    const id = this.#selected;
    if (id === '') {
      this.entry = undefined;
      return;
    }
    const entry = await this.attempt(() => this.loadEntry(id));
    if (id === this.#selected) this.entry = entry;
  }

  /** Changes the parameters of the address, and loads the rows that match. */
  protected filter(parameters: Readonly<Record<string, string | null>>): void {
    this.place.replace(parameters);
    this.requestUpdate();
    void this.feed.reload();
  }

  /** Calls a function once the visitor stops typing. */
  protected afterTyping(change: () => void): void {
    clearTimeout(this.#typing);
    this.#typing = setTimeout(change, TYPING_MS);
  }

  /** True while an entry is shown in place of the list, if the window is narrow. */
  get #isListReplaced(): boolean {
    return this._isOpened && this.entry !== undefined;
  }

  get #selected(): string {
    return this.place.get('id');
  }

  get #list(): ConsoleList<Row> | null {
    return this.renderRoot.querySelector<ConsoleList<Row>>('console-list');
  }

  get #search(): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>('#text');
  }

  /** Shows the entry after its row was opened. It has the focus after a key, and if the list with the focus is hidden. */
  async #open(isByKey: boolean): Promise<void> {
    this._isOpened = true;
    await this.showEntry();
    await this.updateComplete;
    if (isByKey || matchMedia(NARROW).matches)
      this.renderRoot.querySelector<HTMLElement>('.detail > *')?.focus();
  }

  protected override willUpdate(): void {
    if (!this.#wasListReplaced && this.#isListReplaced) this.#listTop = scrollY;
  }

  protected override updated(): void {
    if (this.#wasListReplaced === this.#isListReplaced) return;
    this.#wasListReplaced = this.#isListReplaced;
    if (!matchMedia(NARROW).matches) return;
    // The entry begins at its top. The list returns to its place.
    scrollTo(0, this.#isListReplaced ? Math.min(this.#listTop, this.offsetTop) : this.#listTop);
  }

  #press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || this.ignoresKeys) return;
    const [target] = event.composedPath();
    if (event.key === 'Escape') {
      this.#escape(target);
      return;
    }
    if (target instanceof Element && target.matches('input, select, textarea')) return;
    const actions: Readonly<Record<string, () => void>> = {
      '/': () => this.#search?.focus(),
      j: () => this.#list?.move(1),
      k: () => this.#list?.move(-1),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  /** Leaves the search, then closes the entry. */
  #escape(target: EventTarget | undefined): void {
    if (target !== this.#search && this.entry !== undefined) void this.closeToList();
    else this.#list?.focus();
  }

  protected override render(): TemplateResult {
    const { above, detail, below, ...list } = this.templates();
    const replaces = this.#isListReplaced;
    return html`
      <div class="above ${replaces ? 'behind' : ''}">${above}</div>
      <div class="split ${detail === undefined ? '' : 'open'} ${replaces ? 'opened' : ''}">
        <div class="list">
          ${this.#stateLine(list)}
          ${this.feed.isLoaded && this.feed.entries.length === 0 ? list.empty : this.#rows(list)}
        </div>
        ${detail === undefined ? nothing : html`<section class="detail" aria-label=${detail.label}>${detail.content}</section>`}
      </div>
      ${below ?? nothing}
    `;
  }

  #stateLine({ state, count }: Pick<LogTemplates<Row>, 'state' | 'count'>): TemplateResult {
    return html`<p class="state">
      <span class="dot ${state === undefined ? this._liveState : ''}" id="live">${state ?? LIVE_TEXTS[this._liveState]}</span>
      <span role="status">${this.feed.isLoaded ? count : ''}</span>
      <span>Times in UTC</span>
      <span class="keys"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>/</kbd> search, <kbd>Esc</kbd> close</span>
    </p>`;
  }

  #rows({ label, total, row, rowStyles }: Omit<LogTemplates<Row>, 'above' | 'detail'>): TemplateResult {
    return html`<console-list
      label=${label}
      .items=${this.feed.entries}
      .total=${total}
      .keyOf=${idOf}
      .renderItem=${row}
      .rowStyles=${rowStyles}
      .selected=${this.#selected}
      @console-select=${({ item, isByKey }: ConsoleListEvent<Row>) => this.select(item.id, { isOpened: !isByKey })}
      @console-open=${({ isByKey }: ConsoleListEvent<Row>) => this.#open(isByKey)}
      @console-end=${() => this.feed.loadMore()}
    ></console-list>`;
  }
}

const idOf = ({ id }: { readonly id: string }) => id;
