import { css } from 'lit';

/** Styles of the panel's content. The login element adopts them when it first shows the panel. */
export const panelStyles = css`
  .panel {
    overflow: auto;
    scroll-padding: 0.5rem;
    box-shadow: 0 8px 28px rgb(0 0 0 / 0.16);
    text-align: start;
    overflow-wrap: anywhere;
  }
  .head {
    display: flex;
    gap: 0.75rem;
  }
  .mark {
    inline-size: 1.25rem;
    block-size: 1.25rem;
    background: var(--_danger);
    color: var(--_surface);
  }
  .calm .mark {
    background: var(--_muted);
  }
  .code {
    margin: 0.25rem 2rem 0;
  }
  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    margin-block-start: 1rem;
  }
  .head .initial {
    font-size: 1.25rem;
  }
  .initial + #status {
    align-self: center;
    color: var(--_muted);
    font-size: 0.875em;
  }
  b {
    display: block;
    color: var(--_text);
    font-size: 1rem;
    font-weight: 600;
  }
  ul {
    display: grid;
    gap: 0.625rem;
    max-block-size: 12rem;
    margin: 1rem -1rem 0;
    padding: 0.75rem 1rem;
    border-block-start: 1px solid var(--_line);
    list-style: none;
    overflow: auto;
  }
  li {
    display: grid;
    justify-items: start;
  }
  .rows {
    display: grid;
    margin: 0 -1rem -0.5rem;
    padding: 0.5rem 0.5rem 0;
    border-block-start: 1px solid var(--_line);
  }
  .row,
  ::slotted([slot='menu']) {
    display: flex;
    align-items: center;
    gap: 0.75rem;
    min-block-size: 2.5rem;
    padding: 0.375rem 0.5rem;
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) - 2px);
    color: inherit;
    text-align: start;
    text-decoration: none;
  }
  .row:hover,
  ::slotted([slot='menu']:hover) {
    background: color-mix(in srgb, currentcolor 8%, transparent);
  }
  .row svg {
    color: var(--_muted);
  }
  .row svg:dir(rtl) {
    scale: -1 1;
  }
`;
