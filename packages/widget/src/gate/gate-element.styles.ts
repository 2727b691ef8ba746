import { css } from 'lit';

export const gateStyles = css`
  :host {
    display: block;
  }
  span {
    position: absolute;
    outline: none;
  }
  :host(:state(open)) {
    font: inherit;
    color: inherit;
  }
  .notice {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    justify-items: start;
    gap: 0.875rem;
    padding: 1.25rem;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  latchkey-login {
    inline-size: 20rem;
  }
  latchkey-login::part(button) {
    max-inline-size: var(--latchkey-inline-size, 16rem);
  }
  latchkey-login::part(panel) {
    position: relative;
    inset: auto;
    max-inline-size: 100%;
    margin-block-start: 0.75rem;
    box-shadow: none;
  }
`;
