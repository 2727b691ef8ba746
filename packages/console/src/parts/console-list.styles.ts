import { css } from 'lit';

/** Styles of the list and its rows. */
export const listStyles = css`
  :host {
    block-size: 100%;
    min-block-size: 0;
  }
  .rows {
    block-size: 100%;
    overflow: auto;
    overscroll-behavior: contain;
  }
  .rows:focus-visible {
    outline-offset: -2px;
  }
  .item {
    inline-size: 100%;
    padding: 0.375rem 0.75rem;
    border-block-end: 1px solid var(--line);
    cursor: pointer;
  }
  .item:hover {
    background: var(--sunken);
  }
  .item.selected {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 var(--accent);
  }
`;
