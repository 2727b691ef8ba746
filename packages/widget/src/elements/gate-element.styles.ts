import { css } from './view-element.js';

export const gateStyles = css`
  :host {
    display: block;
  }
  :host(:focus) {
    outline: none;
  }
  :host([state='open']) {
    font: inherit;
    color: inherit;
  }
  .notice {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.75rem 1rem;
    padding: 1.25rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  p {
    flex: 1 1 14rem;
  }
  latchkey-login::part(panel) {
    position: static;
  }
`;
