import { BASE, BUTTONS_AND_FIELDS, COPY, FIELDS, PANELS, PILL } from '@latchkey/server/styles';
import { type CSSResult, css, unsafeCSS } from 'lit';

const PARTS = [BASE, BUTTONS_AND_FIELDS, FIELDS, PANELS, PILL, COPY].join('\n');

/**
 * Base styles of every element in the console: the parts of the service's pages, but denser. The custom properties come
 * from the page and follow the colour scheme.
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
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
    }
  }
`;
