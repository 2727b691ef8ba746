import { css } from 'lit';

export const loginStyles = css`
  :host {
    display: inline-block;
    position: relative;
    flex-shrink: 9999;
    inline-size: var(--_size, 16rem);
    min-inline-size: min(var(--_size, 9.5rem), 9.5rem, 100%);
    max-inline-size: 100%;
    vertical-align: middle;
    --_size: var(--latchkey-inline-size);
  }
  :host([compact]) {
    --_size: max(2.75rem, var(--_height, 0px));
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
  .box {
    container-type: inline-size;
  }
  :host([full-width]) .main {
    inline-size: 100%;
  }
  .main {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 0.5rem;
    inline-size: fit-content;
    max-inline-size: 100%;
    min-block-size: var(--_height, 2.75rem);
    padding-inline: 1.125rem;
    border-radius: var(--_radius);
    font-weight: 600;
  }
  .main.end {
    margin-inline-start: auto;
  }
  .main.center {
    margin-inline: auto;
  }
  :host([variant='outlined']) .main {
    border-color: currentcolor;
  }
  :host(:is([variant='outlined'], [variant='plain'])) .main.accent {
    background: transparent;
    color: var(--_accent);
  }
  :host([variant='plain']) .main {
    padding-inline: 0;
    border-color: transparent;
    background: transparent;
  }
  :host([variant='plain']) .main:hover .text {
    text-decoration: underline;
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
    background: var(--_surface);
    padding-inline: 0.375rem 0.75rem;
    font-weight: 500;
  }
  .account:hover {
    background: color-mix(in srgb, currentcolor 8%, var(--_surface));
  }
  .name {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .initial,
  .mark {
    display: grid;
    flex: none;
    place-items: center;
    block-size: 1.7em;
    aspect-ratio: 1;
    border-radius: 50%;
    background: var(--_accent);
    color: var(--_on-accent);
    font-weight: 600;
  }
  .initial {
    text-transform: uppercase;
  }
  .main .initial {
    margin-block: -0.5rem;
  }
  .chevron {
    inline-size: 0.9em;
    margin-inline-start: auto;
  }
  [aria-expanded='true'] .chevron {
    rotate: 180deg;
  }
  @container (max-width: 6rem) {
    .main {
      justify-content: center;
      inline-size: 100%;
      min-block-size: 0;
      aspect-ratio: 1;
      padding: 0;
      border-radius: 50%;
    }
    .account {
      border-color: transparent;
      background: transparent;
    }
    .initial {
      font-size: 1.125rem;
    }
    .text {
      position: absolute;
      inline-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
    .chevron {
      display: none;
    }
  }
  .panel {
    display: block;
    position: absolute;
    z-index: 1000;
    inset-block: calc(100% + 8px) auto;
    inset-inline: 0 auto;
    margin: 0;
    inline-size: min(20rem, 100vw - 1rem);
    padding: 1rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) + 2px);
    background: var(--_surface);
    color: inherit;
  }
  .panel.end {
    inset-inline: auto 0;
  }
  .quiet:not(.end) {
    inline-size: 1px;
  }
  .panel.quiet {
    overflow: hidden;
    clip-path: inset(50%);
    block-size: 1px;
    padding: 0;
    border: 0;
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .main,
    .initial,
    .mark {
      border: 1px solid;
    }
  }
`;
