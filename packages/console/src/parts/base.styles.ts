import { BASE, BUTTONS_AND_FIELDS, COPY, FIELDS, PANELS, PILL } from '@latchkey/server/styles';
import { type CSSResult, css, unsafeCSS } from 'lit';

const PARTS = [BASE, BUTTONS_AND_FIELDS, FIELDS, PANELS, PILL, COPY].join('\n');

/**
 * Styles of every element in the console: the parts of the service's pages, but denser, and the layout of forms. The
 * custom properties come from the page and follow the colour scheme.
 */
export const baseStyles: CSSResult = css`
  ${unsafeCSS(PARTS)}
  :host {
    --control: var(--control-small);
    --type-body: var(--type-m);
    display: block;
    color: var(--text);
    font: 400 var(--type-m) / 1.45 var(--font);
  }
  :host([hidden]) {
    display: none !important;
  }
  dl,
  dd,
  ol {
    margin: 0;
    padding: 0;
  }
  ol {
    list-style: none;
  }
  h3 {
    font-size: var(--type-s);
  }
  code,
  .code {
    font-family: var(--mono);
    font-size: var(--type-s);
    overflow-wrap: anywhere;
  }
  .pill::first-letter {
    text-transform: uppercase;
  }
  .loading {
    padding: 1rem;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  /* The texts are English in every direction. */
  :host(:dir(rtl)) :is(p, dt, dd, h3, label, [role='status']) {
    unicode-bidi: plaintext;
    text-align: right;
  }
  legend {
    padding: 0;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }
  .field {
    gap: 0.25rem;
  }
  .row > input:not([type='checkbox'], [type='radio']) {
    flex: 1;
    min-inline-size: 10rem;
    inline-size: auto;
  }
  /* Day and time in full, with the button that opens the calendar. */
  .row > input[type='datetime-local'] {
    min-inline-size: 14rem;
  }
  select {
    text-overflow: ellipsis;
  }
  .row:has(> .check + .check) {
    column-gap: 1.25rem;
  }
  input[type='file'] {
    padding: 0.1875rem;
    font-size: var(--type-s);
  }
  ::file-selector-button {
    block-size: 1.5rem;
    margin-inline-end: 0.75rem;
    padding-inline: 0.75rem;
    font: inherit;
    font-weight: 500;
    color: var(--text);
    background: var(--sunken);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-s);
    cursor: pointer;
  }
  textarea {
    min-block-size: 8rem;
    padding-block: 0.5rem;
    font-family: var(--mono);
    font-size: var(--type-s);
  }
  .check {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: var(--control);
    cursor: pointer;
  }
  .check input {
    inline-size: 1rem;
    block-size: 1rem;
    margin: 0;
    accent-color: var(--accent);
  }
  .button {
    white-space: nowrap;
  }
  /* The white space around a hidden text is an item of the row. */
  .button:has(> .visually-hidden) {
    gap: 0;
  }
  /* The page's own rule ends at the shadow root. */
  :host(:dir(rtl)) select {
    background-position: left 0.8125rem center, left 1.125rem center;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
    }
  }
`;
