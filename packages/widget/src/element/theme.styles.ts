import { css } from 'lit';

/**
 * Styles that the elements share. Colours follow the page's `color-scheme`. Only this file reads the custom properties
 * for colours and corners.
 */
export const theme = css`
  :host {
    --_accent: var(--latchkey-accent, light-dark(#1d4ed8, #8ab4ff));
    --_on-accent: var(--latchkey-on-accent, light-dark(#fff, #0b1730));
    --_surface: var(--latchkey-surface, light-dark(#fff, #1c2026));
    --_text: var(--latchkey-text, light-dark(#1a1f27, #e9ecf1));
    --_muted: var(--latchkey-muted, light-dark(#586171, #a7b0bf));
    --_line: var(--latchkey-line, light-dark(#cfd5de, #464e5b));
    --_danger: var(--latchkey-danger, light-dark(#b42318, #ff9d92));
    --_radius: var(--latchkey-radius, 10px);
    font: var(--latchkey-font, 500 0.9375rem/1.4 system-ui, sans-serif);
    color: var(--_text);
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
  }
  p {
    margin: 0;
  }
  .muted {
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 400;
  }
  button {
    font: inherit;
    color: inherit;
    cursor: pointer;
    min-block-size: 2.25rem;
    padding: 0.375rem 0.875rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) - 2px);
    background: transparent;
  }
  button:hover {
    background: color-mix(in srgb, currentcolor 8%, transparent);
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .accent {
    border-color: transparent;
    background: var(--_accent);
    color: var(--_on-accent);
  }
  .accent:hover {
    background: color-mix(in srgb, var(--_accent) 88%, var(--_text));
  }
`;
