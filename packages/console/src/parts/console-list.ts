import { type VirtualizerHostElement, virtualize, virtualizerRef } from '@lit-labs/virtualizer/virtualize.js';
import {
  adoptStyles,
  type CSSResult,
  css,
  html,
  LitElement,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { baseStyles } from './base.styles.js';

/** Styles of the list and its rows. The list is as high as its rows, up to the available height. */
const listStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
  }
  .rows {
    flex: 0 1 var(--rows-height, 20rem);
    /* The virtualizer sets a larger one. */
    min-block-size: 0 !important;
    overflow: auto;
  }
  .rows:focus-visible {
    outline-offset: -2px;
  }
  .item {
    inline-size: 100%;
    padding: 0.375rem 0.75rem;
    border-block-end: 1px solid var(--line);
    cursor: pointer;
  }
  .item:last-of-type {
    border-block-end-color: transparent;
  }
  .item:hover {
    background: var(--sunken);
  }
  .item.selected {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 var(--accent);
  }
  :host(:dir(rtl)) .item.selected {
    box-shadow: inset -3px 0 var(--accent);
  }
`;

/** Event of {@link ConsoleList}: `console-select` as the selection moves, `console-open` for Enter or a click. */
export type ConsoleListEvent<Item> = CustomEvent<{
  readonly item: Item;
  /** True if a key press caused it. */
  readonly isByKey: boolean;
}>;

/** How many rows before the end the list asks for more. */
const AHEAD = 30;
const PAGE = 10;

/**
 * A list of any length: only the rows in view exist. Arrow keys, j, k, Home, End, Page Up and Page Down move the
 * selection; Enter and a click open a row. Rows contain only text: each is an option of a listbox.
 *
 * @fires console-select - The selection moved to `item`.
 * @fires console-open - `item` was opened.
 * @fires console-end - The last rows are coming into view: time to load more.
 */
@customElement('console-list')
export class ConsoleList<Item = unknown> extends LitElement {
  static override styles = [baseStyles, listStyles];

  @property({ attribute: false }) items: readonly Item[] = [];
  @property({ attribute: false }) renderItem: (item: Item) => TemplateResult = (item) =>
    html`${String(item)}`;
  @property({ attribute: false }) keyOf: (item: Item) => string = String;
  @property({ attribute: false }) rowStyles: CSSResult | undefined;
  /** Id of the selected row; empty without one. */
  @property() selected = '';
  @property() label = '';
  /** Total number of entries, of which `items` may be only the first; -1 if unknown. */
  @property({ type: Number }) total = -1;
  #last = 0;
  #reveals = false;
  #rowsHeight = 0;
  readonly #sizes = new MutationObserver(() => this.#fit());

  override focus(options?: FocusOptions): void {
    this.#scroller?.focus(options);
  }

  /** Moves the selection by a number of rows, and scrolls it into view. */
  move(by: number): void {
    const index = this.#selectedIndex;
    this.#select(index === -1 ? 0 : index + by);
  }

  /** Scrolls to the selected row, once it's among the items. */
  reveal(): void {
    this.#reveals = true;
    this.requestUpdate();
  }

  get #scroller(): (HTMLElement & VirtualizerHostElement) | null {
    return this.renderRoot.querySelector<HTMLElement & VirtualizerHostElement>('.rows');
  }

  get #selectedIndex(): number {
    return this.selected === '' ? -1 : this.items.findIndex((item) => this.keyOf(item) === this.selected);
  }

  #select(wanted: number, isByKey = true): void {
    const index = Math.max(0, Math.min(wanted, this.items.length - 1));
    const item = this.items[index];
    if (item === undefined) return;
    this.selected = this.keyOf(item);
    this.#reveals = true;
    this.dispatchEvent(new CustomEvent('console-select', { detail: { item, isByKey } }));
  }

  #open(index: number, isByKey = true): void {
    const item = this.items[index];
    if (item !== undefined)
      this.dispatchEvent(new CustomEvent('console-open', { detail: { item, isByKey } }));
  }

  #press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const index = this.#selectedIndex;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      j: index + 1,
      k: index - 1,
      PageDown: index + PAGE,
      PageUp: index - PAGE,
      Home: 0,
      End: this.items.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) this.#select(to);
    else if (event.key === 'Enter' && index !== -1) this.#open(index);
    else return;
    // The page handles the same keys if the focus is elsewhere.
    event.stopPropagation();
    event.preventDefault();
  }

  #click(index: number): void {
    this.#select(index, false);
    this.#open(index, false);
  }

  /**
   * Makes the list as high as its rows. The virtualizer writes their height into the transform of its sizer, which can
   * be read without a layout.
   */
  #fit(): void {
    const transform = this.#sizer?.style.transform ?? '';
    const height = Number(/,\s*([\d.]+)px/.exec(transform)?.[1] ?? 0);
    // The virtualizer writes at each step of a scroll, and shows nothing in a box without height.
    if (height === 0 || height === this.#rowsHeight) return;
    this.#rowsHeight = height;
    // The sizer ends a pixel below the rows.
    this.style.setProperty('--rows-height', `${height + 1}px`);
  }

  get #sizer(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[virtualizer-sizer]');
  }

  #rangeChanged(last: number): void {
    this.#last = last;
    this.#askForMore();
  }

  #askForMore(): void {
    if (this.#last >= this.items.length - AHEAD) this.dispatchEvent(new Event('console-end'));
  }

  protected override firstUpdated(): void {
    if (this.#sizer !== null) this.#sizes.observe(this.#sizer, { attributeFilter: ['style'] });
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('rowStyles') && this.rowStyles !== undefined && this.renderRoot instanceof ShadowRoot) {
      adoptStyles(this.renderRoot, [baseStyles, listStyles, this.rowStyles]);
    }
    if (!this.#reveals) return;
    const index = this.#selectedIndex;
    if (index === -1) return;
    this.#reveals = false;
    this.#scroller?.[virtualizerRef]?.element(index)?.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const row = (item: Item, index: number) => {
      const key = this.keyOf(item);
      const isSelected = key === this.selected;
      return html`<div
        class="item ${isSelected ? 'selected' : ''}"
        role="option"
        id="row-${key}"
        aria-selected=${isSelected}
        aria-posinset=${index + 1}
        aria-setsize=${this.total}
        @click=${() => this.#click(index)}
      >${this.renderItem(item)}</div>`;
    };
    return html`<div
      class="rows"
      role="listbox"
      tabindex="0"
      aria-label=${this.label}
      aria-activedescendant=${this.selected === '' ? '' : `row-${this.selected}`}
      @keydown=${this.#press}
      @rangeChanged=${({ last }: { last: number }) => this.#rangeChanged(last)}
    ><div virtualizer-sizer></div>${virtualize<Item>({
      items: this.items as Item[],
      renderItem: row,
      keyFunction: (item) => this.keyOf(item),
      scroller: true,
    })}</div>`;
  }
}
