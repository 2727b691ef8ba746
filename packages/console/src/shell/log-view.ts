import { type CSSResult, html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { LiveEvent, LiveState } from '../api/live.js';
import type { ConsoleList, ConsoleListEvent } from '../parts/console-list.js';
import { type Option, selectField } from '../parts/form-parts.js';
import { ConsoleView } from './console-view.js';
import type { LogFeed } from './log-feed.js';
import '../parts/console-list.js';

const TYPING_MS = 200;
/** In these windows, an opened entry replaces the list. The styles of a log use the same width. */
const NARROW = '(max-width: 899.98px)';
const LIVE_TEXTS: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting…',
  open: 'Live',
  closed: 'Not connected',
};

/** Filters by their names in the page's URL, each with a check of its value. A value that fails it filters nothing. */
export type LogFilters = Readonly<Record<string, (value: string) => boolean>>;

export interface LogTemplates<Row> {
  /** Tools and filters above the log. The search field has the id `text`. */
  readonly above: TemplateResult;
  /** What a sentence calls one row. */
  readonly one: string;
  /** What an empty log says: what to do. */
  readonly hint: string;
  /** State of the log, shown in place of the connection's state; undefined if it has none. */
  readonly state?: string | undefined;
  readonly row: (row: Row) => TemplateResult;
  readonly rowStyles: CSSResult;
  /** The selected entry, and its name for screen readers; undefined if there is none. */
  readonly detail: { readonly label: string; readonly content: TemplateResult } | undefined;
  readonly below?: TemplateResult;
}

/**
 * Base class of a log: filters above, the list with the live state, and the selected entry next to it. In a narrow
 * window, an opened entry replaces the list. `j` and `k` move the selection, `/` focuses the search, Escape closes the
 * entry. The id of the selected entry is in the page's URL.
 */
export abstract class LogView<Row extends { readonly id: string }, Entry> extends ConsoleView {
  /** The selected entry; undefined while it loads, or if there is none. */
  @state() protected entry: Entry | undefined;
  /** False while keys have only moved the selection. */
  @state() private _isOpened = true;
  protected abstract readonly feed: LogFeed<Row>;
  protected abstract readonly filters: LogFilters;
  #typing: ReturnType<typeof setTimeout> | undefined;
  /** Scroll position of the page before an entry replaced the list. */
  #listTop = 0;
  #wasListReplaced = false;
  readonly #pressed = (event: KeyboardEvent) => this.#press(event);

  protected abstract loadEntry(id: string): Promise<Entry>;
  protected abstract templates(): LogTemplates<Row>;

  /** True while the log's keys are off, for example under a dialog. */
  protected get ignoresKeys(): boolean {
    return false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#pressed);
    void this.reloadList();
    void this.showEntry();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#pressed);
    clearTimeout(this.#typing);
  }

  protected override liveEvent(event: LiveEvent): void {
    this.feed.receive(event);
    if (event.type === 'reset') this.close();
    if (event.type === 'state') this.requestUpdate();
  }

  protected override placeChanged(): void {
    this._isOpened = true;
    void this.feed.reload();
    void this.showEntry();
  }

  /** Reloads the list, and scrolls to the selected row. */
  protected async reloadList(): Promise<void> {
    await this.feed.reload();
    this.reveal();
  }

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

  /** Closes the entry when its button is pressed, and returns the focus to the list. */
  protected async closeToList(): Promise<void> {
    this.close();
    await this.updateComplete;
    this.#list?.focus({ preventScroll: true });
  }

  protected async showEntry(): Promise<void> {
    const id = this.#selected;
    if (id === '') {
      this.entry = undefined;
      return;
    }
    const entry = await this.attempt(() => this.loadEntry(id));
    if (id === this.#selected) this.entry = entry;
  }

  protected get filterValues(): Readonly<Record<string, string>> {
    const given = Object.entries(this.filters).map(([name, accepts]) => {
      const value = this.place.get(name);
      return [name, accepts(value) ? value : ''];
    });
    return Object.fromEntries(given);
  }

  protected filter(change: Readonly<Record<string, string>>): void {
    this.place.replace({ ...this.filterValues, ...change });
    this.requestUpdate();
    void this.feed.reload();
  }

  /** Renders a field that filters by text once the visitor stops typing. */
  protected textFilter(
    name: string,
    { label, placeholder, maxLength = 300 }: { label: string; placeholder: string; maxLength?: number },
  ): TemplateResult {
    const type = ({ target }: Event) => {
      const value = (target as HTMLInputElement).value.trim();
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.filter({ [name]: value }), TYPING_MS);
    };
    return html`<div class="field ${name === 'text' ? 'search' : ''}">
      <label for=${name}>${label}</label>
      <input id=${name} type="search" maxlength=${maxLength} .value=${this.filterValues[name] ?? ''}
        placeholder=${placeholder} @input=${type} />
    </div>`;
  }

  /** Renders a field that filters by one of several values. The first option filters nothing. */
  protected choiceFilter(name: string, label: string, options: readonly Option[]): TemplateResult {
    const onChange = (value: string) => this.filter({ [name]: value });
    return selectField(label, { id: name, options, selected: this.filterValues[name], onChange });
  }

  /** True while an entry replaces the list in a narrow window. */
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

  /**
   * Shows the entry after its row was opened. It gets the focus after a key press, or if the list had the focus and is
   * now hidden.
   */
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
    // The entry starts at the top; the list returns to its scroll position.
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
          ${this.feed.isLoaded && this.feed.entries.length === 0 ? this.#empty(list) : this.#rows(list)}
        </div>
        ${detail === undefined ? nothing : html`<section class="detail" aria-label=${detail.label}>${detail.content}</section>`}
      </div>
      ${below ?? nothing}
    `;
  }

  #stateLine({ state, one }: Pick<LogTemplates<Row>, 'state' | 'one'>): TemplateResult {
    const { entries, total } = this.feed;
    const count = total === -1 ? `${entries.length}+` : `${total}`;
    return html`<p class="state">
      <span class="dot ${state === undefined ? this.live.state : ''}" id="live">${state ?? LIVE_TEXTS[this.live.state]}</span>
      <span role="status">${this.feed.isLoaded ? `${count} ${one}${count === '1' ? '' : 's'}` : ''}</span>
      <span>Times in UTC</span>
      <span class="keys"><kbd>j</kbd> <kbd>k</kbd> move, <kbd>/</kbd> search, <kbd>Esc</kbd> close</span>
    </p>`;
  }

  #empty({ one, hint }: Pick<LogTemplates<Row>, 'one' | 'hint'>): TemplateResult {
    const isFiltered = Object.values(this.filterValues).some((value) => value !== '');
    const noFilters = Object.fromEntries(Object.keys(this.filters).map((name) => [name, '']));
    return html`<div class="empty-state">
      <p class="empty-title">${isFiltered ? `No ${one} matches.` : `No ${one}s yet.`}</p>
      ${
        isFiltered
          ? html`<button class="button secondary small" type="button" @click=${() => this.filter(noFilters)}>Remove all filters</button>`
          : html`<p class="empty-text">${hint}</p>`
      }
    </div>`;
  }

  #rows({ one, row, rowStyles }: Pick<LogTemplates<Row>, 'one' | 'row' | 'rowStyles'>): TemplateResult {
    return html`<console-list
      label="${one.charAt(0).toUpperCase()}${one.slice(1)}s, newest first"
      .items=${this.feed.entries}
      .total=${this.feed.total}
      .keyOf=${idOf}
      .renderItem=${row}
      .rowStyles=${rowStyles}
      .selected=${this.#selected}
      @console-select=${({ detail: { item, isByKey } }: ConsoleListEvent<Row>) => this.select(item.id, { isOpened: !isByKey })}
      @console-open=${({ detail: { isByKey } }: ConsoleListEvent<Row>) => this.#open(isByKey)}
      @console-end=${() => this.feed.loadMore()}
    ></console-list>`;
  }
}

const idOf = ({ id }: { readonly id: string }) => id;
