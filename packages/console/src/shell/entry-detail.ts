import { type CSSResult, css, html, nothing, type TemplateResult } from 'lit';
import { baseStyles } from '../parts/base.styles.js';
import { ControlElement } from './console-view.js';

const entryDetailStyles = css`
  :host,
  header,
  section,
  .facts,
  .round-trip {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 0.5rem;
  }
  :host {
    gap: 1rem;
    padding: 1rem;
    container-type: inline-size;
  }
  h2,
  h3 {
    overflow-wrap: anywhere;
  }
  h2 {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.5rem;
  }
  h2 code {
    direction: ltr;
    unicode-bidi: isolate;
  }
  .back {
    display: none;
    justify-self: start;
  }
  h2:focus {
    outline: none;
  }
  h2 code {
    font-size: 0.9375rem;
  }
  h4 {
    margin: 0;
    font-size: 0.8125rem;
    font-weight: 600;
  }
  :is(h3, h4, summary) .muted {
    font-weight: 400;
  }
  .rule {
    padding: 0.625rem 0.875rem;
    background: var(--sunken);
    border-inline-start: 3px solid var(--accent);
    border-start-end-radius: 8px;
    border-end-end-radius: 8px;
  }
  .rule .muted {
    display: block;
    font-size: 0.8125rem;
  }
  .facts {
    grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr));
    gap: 0.375rem 1rem;
  }
  .facts .wide {
    grid-column: 1 / -1;
  }
  dt {
    color: var(--muted);
    font-size: 0.8125rem;
  }
  dd {
    overflow-wrap: anywhere;
  }
  time {
    direction: ltr;
    unicode-bidi: isolate;
    font: 0.8125rem/1.5 var(--mono);
  }
  summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.625rem;
    min-block-size: 2.125rem;
    padding-inline: 0.375rem;
    font-size: 0.8125rem;
    font-weight: 600;
    cursor: pointer;
    border-radius: 6px;
  }
  summary::before {
    content: '';
    inline-size: 0.4375rem;
    block-size: 0.4375rem;
    border-block-end: 2px solid var(--muted);
    border-inline-end: 2px solid var(--muted);
    rotate: -45deg;
  }
  :host(:dir(rtl)) summary::before {
    rotate: 45deg;
  }
  details[open] > summary::before {
    rotate: 45deg;
  }
  :host(:dir(rtl)) details[open] > summary::before {
    rotate: -45deg;
  }
  summary:hover {
    background: var(--sunken);
  }
  .delivery {
    padding: 0.875rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .delivery-heading,
  .part-heading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.375rem 0.75rem;
  }
  .mark {
    padding: 0 0.375rem;
    border: 1px solid var(--line-strong);
    border-radius: 4px;
    font: 0.75rem/1.5 var(--mono);
  }
  .round-trip {
    gap: 0.875rem;
    padding: 0.5rem 0.375rem 0.75rem;
  }
  .address,
  .headers {
    direction: ltr;
    text-align: left;
  }
  .headers {
    font: 0.8125rem/1.5 var(--mono);
  }
  .headers div {
    display: grid;
    grid-template-columns: minmax(0, 12rem) minmax(0, 1fr);
    gap: 0.75rem;
    padding-block: 0.1875rem;
    border-block-end: 1px solid var(--line);
  }
  .headers dt {
    overflow-wrap: anywhere;
  }
  /* Names and values of headers are English in every direction. */
  :host(:dir(rtl)) :is(.address, .headers :is(dt, dd)) {
    text-align: left;
  }
  @container (max-width: 34rem) {
    .headers div {
      grid-template-columns: minmax(0, 1fr);
      gap: 0;
    }
  }
  @container (max-width: 26rem) {
    .delivery {
      padding: 0.875rem 0 0;
      border-width: 1px 0 0;
      border-radius: 0;
    }
    .round-trip {
      padding-inline: 0;
    }
  }
  @media (max-width: 899.98px) {
    .back {
      display: inline-flex;
    }
    .close {
      display: none;
    }
  }
`;

/** A state as text, and its kind, which gives the colour. */
export interface State {
  readonly text: string;
  readonly kind: 'good' | 'warn' | 'bad' | 'neutral';
}

type Fact = readonly [term: string, value: unknown, look?: 'code' | 'time' | 'wide' | 'wide code'];

/**
 * Base class of a log's opened entry.
 *
 * @fires console-close - The visitor closed it.
 */
export abstract class EntryDetail extends ControlElement {
  static override styles: CSSResult[] = [baseStyles, entryDetailStyles];

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus();
  }

  /** Renders the heading and the tools. In a narrow window, where the entry replaces the list, a button leads back to it. */
  protected header(title: TemplateResult, tools: TemplateResult, facts?: TemplateResult): TemplateResult {
    const close = () => this.dispatchEvent(new Event('console-close'));
    return html`<header>
      <button class="button secondary small back" type="button" @click=${close}>Back to the list</button>
      <h2 tabindex="-1">${title}</h2>
      ${facts}
      <div class="row">
        ${tools}
        <button class="button quiet small close" type="button" @click=${close}>Close</button>
      </div>
    </header>`;
  }

  /** Renders facts, without those that are null. */
  protected facts(facts: readonly Fact[]): TemplateResult {
    const shown = (value: unknown, look: string) =>
      look.includes('code')
        ? html`<code>${value}</code>`
        : look === 'time'
          ? html`<time datetime=${value}>${value}</time>`
          : value;
    return html`<dl class="facts">
      ${facts.map(([term, value, look = '']) =>
        value === null
          ? nothing
          : html`<div class=${look}><dt>${term}</dt><dd>${shown(value, look)}</dd></div>`,
      )}
    </dl>`;
  }
}

export function headerList(headers: Readonly<Record<string, string>>): TemplateResult {
  return html`<dl class="headers" translate="no">
    ${Object.entries(headers).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
  </dl>`;
}
