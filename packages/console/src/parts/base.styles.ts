import { css } from 'lit';

/**
 * Styles that every element of the console starts from. The colours are the custom properties of the page, which follow the
 * colour scheme.
 */
export const baseStyles = css`
  :host {
    display: block;
    color: var(--text);
    font: 400 0.875rem/1.45 var(--font);
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  h2,
  h3,
  p,
  dl,
  dd,
  ul,
  ol {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  h2 {
    font-size: 1rem;
    line-height: 1.35;
    font-weight: 650;
  }
  h3 {
    font-size: 0.8125rem;
    font-weight: 650;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.18em;
    text-decoration-thickness: 1px;
  }
  a:hover {
    color: var(--accent-strong);
    text-decoration-thickness: 2px;
  }
  code,
  .code {
    font-family: var(--mono);
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .muted {
    color: var(--muted);
  }
  .loading {
    padding: 1rem;
  }
  .panel {
    padding: 1rem 1.25rem;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5rem;
  }
  .pill {
    display: inline-block;
    padding: 0.0625rem 0.4375rem;
    border: 1px solid var(--line-strong);
    border-radius: 99px;
    font: 600 0.75rem/1.35 var(--mono);
    color: var(--text);
    background: var(--sunken);
    white-space: nowrap;
  }
  .pill.good {
    color: var(--accent-strong);
    background: var(--accent-soft);
    border-color: var(--accent);
  }
  .pill.bad {
    color: var(--danger);
    background: var(--danger-soft);
    border-color: var(--danger);
  }
  .pill.warn {
    color: var(--ribbon-text);
    background: var(--ribbon);
    border-color: transparent;
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  /* The texts are English in every direction. */
  :host(:dir(rtl)) :is(p, dt, dd, h3, label, summary, [role='status']) {
    unicode-bidi: plaintext;
    text-align: right;
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;
