import { css } from 'lit';

export const loginStyles = css`
  :host {
    display: inline-block;
    position: relative;
    inline-size: var(--latchkey-inline-size, 12.5rem);
    max-inline-size: 100%;
    vertical-align: middle;
  }
  :host([full-width]) {
    display: block;
    inline-size: auto;
  }
  :host([size='small']) {
    font-size: 0.8125rem;
    --_height: 2.125rem;
  }
  :host([size='large']) {
    font-size: 1.0625rem;
    --_height: 3.25rem;
  }
  .main {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.5rem;
    inline-size: 100%;
    min-block-size: var(--_height, 2.75rem);
    padding-inline: 1.125rem;
    border-radius: var(--_radius);
    font-weight: 600;
  }
  :host([variant='outlined']) .main {
    border-color: currentcolor;
  }
  :host(:is([variant='outlined'], [variant='plain'])) .main.accent {
    background: transparent;
    color: var(--_accent);
  }
  svg,
  .spinner {
    flex: none;
    inline-size: 1.125em;
    block-size: 1.125em;
  }
  .spinner {
    border: 2px solid;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: turn 0.8s linear infinite;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .spinner {
      animation-duration: 4s;
    }
  }
  svg {
    fill: none;
    stroke: currentcolor;
    stroke-width: 2;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .account {
    justify-content: start;
    padding-inline: 0.5rem 0.75rem;
    background: var(--_surface);
    font-weight: 500;
    text-align: start;
  }
  .account:hover {
    background: color-mix(in srgb, var(--_surface) 92%, var(--_text));
  }
  .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .initial {
    display: grid;
    flex: none;
    place-items: center;
    inline-size: 1.75em;
    block-size: 1.75em;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: 0.9em;
    font-weight: 600;
    text-transform: uppercase;
  }
  .chevron {
    inline-size: 0.9em;
    margin-inline-start: auto;
    transition: rotate 0.15s;
  }
  [aria-expanded='true'] .chevron {
    rotate: 180deg;
  }
  .panel {
    position: absolute;
    z-index: var(--latchkey-layer, 1000);
    inset-block-start: calc(100% + 0.5rem);
    inset-inline-start: 0;
    inline-size: max-content;
    min-inline-size: min(15rem, 100vw - 1rem);
    max-inline-size: min(20rem, 100vw - 1rem);
    padding: 0.875rem 1rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) + 2px);
    background: var(--_surface);
    box-shadow: 0 8px 28px rgb(0 0 0 / 0.16);
    text-align: start;
  }
  .panel.quiet {
    inline-size: 1px;
    block-size: 1px;
    min-inline-size: 0;
    padding: 0;
    border: 0;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  #status {
    overflow-wrap: anywhere;
  }
  .problem #status {
    padding-inline-start: 1.75rem;
  }
  .problem #status::before {
    content: '!';
    position: absolute;
    inset-inline-start: 1rem;
    inline-size: 1.25rem;
    border-radius: 50%;
    background: var(--_danger);
    color: var(--_surface);
    font-weight: 700;
    line-height: 1.25rem;
    text-align: center;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 0.75rem;
  }
  .actions :only-child {
    flex: 1;
  }
  ul {
    display: grid;
    gap: 0.375rem;
    max-block-size: 12rem;
    margin: 0.625rem 0;
    padding: 0.625rem 0;
    border-block: 1px solid var(--_line);
    list-style: none;
    overflow: auto;
  }
  li {
    display: grid;
  }
  .muted {
    color: var(--_muted);
    font-size: 0.875em;
    font-weight: 400;
  }
  @media (forced-colors: active) {
    .main,
    .panel,
    .initial,
    .problem #status::before {
      border: 1px solid;
    }
  }
  ::slotted([slot='menu']) {
    display: block;
    margin-block-end: 0.625rem;
  }
`;
