import { css } from 'lit';

export const plansStyles = css`
  :host {
    display: block;
    font: var(--latchkey-font, inherit);
    overflow-wrap: anywhere;
  }
  :host(latchkey-join) {
    display: inline-block;
    max-inline-size: 100%;
    vertical-align: top;
  }
  ul {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr));
    column-gap: 1rem;
    margin: 0 0 -1rem;
    padding: 0;
    list-style: none;
  }
  ul:has(> :only-child) {
    max-inline-size: 22rem;
  }
  .card {
    display: grid;
    grid-row: span 5;
    grid-template-rows: subgrid;
    grid-template-columns: minmax(0, 1fr);
    margin-block-end: 1rem;
    padding: 1.25rem;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) + 2px);
    background: var(--_surface);
  }
  .current {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.25rem 0.75rem;
    min-block-size: 1.625rem;
  }
  strong {
    font-size: 1.0625em;
    font-weight: 600;
  }
  .badge {
    padding: 0.125rem 0.625rem;
    border: 1px solid var(--_accent);
    border-radius: 1rem;
    color: var(--_accent);
    font-size: 0.8125em;
    font-weight: 600;
  }
  p[dir] {
    text-align: match-parent;
  }
  .cost {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    column-gap: 0.5rem;
    margin-block: 0.625rem;
  }
  .price {
    font-size: 2em;
    font-weight: 700;
    letter-spacing: -0.02em;
    line-height: 1.2;
  }
  .card .main {
    inline-size: 100%;
    margin-block-start: 1.25rem;
  }
  .main {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.5rem;
    min-block-size: 2.75rem;
    padding: 0.375rem 1.125rem;
    border: 1px solid var(--_accent);
    border-radius: var(--_radius);
    color: var(--_accent);
    font-weight: 600;
    text-align: center;
    text-decoration: none;
  }
  .main.accent {
    color: var(--_on-accent);
  }
  a:hover {
    background: color-mix(in srgb, var(--_accent) 8%, transparent);
  }
  [aria-disabled] {
    opacity: 0.6;
    cursor: default;
  }
  .spinner {
    flex: none;
    inline-size: 1.125em;
    block-size: 1.125em;
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
  .quiet {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .notice {
    position: relative;
    display: grid;
    justify-items: start;
    gap: 0.625rem;
    margin-block-start: 0.75rem;
    font-size: 0.9375em;
  }
  :host(latchkey-join) .notice {
    max-inline-size: 20rem;
  }
  .problem p {
    padding-inline-start: 1.75rem;
  }
  .problem p::before {
    content: '!';
    position: absolute;
    inset-inline-start: 0;
    inline-size: 1.25rem;
    border-radius: 50%;
    background: var(--_danger);
    color: var(--_surface);
    font-weight: 700;
    line-height: 1.25rem;
    text-align: center;
  }
  @media (forced-colors: active) {
    .accent,
    .problem p::before {
      border: 1px solid;
    }
    .current {
      border-width: 3px;
    }
  }
`;
