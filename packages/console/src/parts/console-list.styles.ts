import { css } from 'lit';

/** Styles of the list and its rows. The list is as high as its rows, up to the height that its place leaves. */
export const listStyles = css`
  :host {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
  }
  .rows {
    flex: 0 1 var(--rows-height, 20rem);
    /* The virtualizer sets a larger one. */
    min-block-size: 0 !important;
    overflow: auto;
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
  .item:last-of-type {
    border-block-end-color: transparent;
  }
  .item:hover {
    background: var(--sunken);
  }
  .item.selected {
    background: var(--accent-soft);
    box-shadow: inset 3px 0 var(--accent);
  }
  :host(:dir(rtl)) .item.selected {
    box-shadow: inset -3px 0 var(--accent);
  }
`;
