import { css } from 'lit';

/** Styles of a log: filters above, list and entry side by side, or stacked in a narrow window. */
export const splitViewStyles = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: end;
    margin-block-end: 0.75rem;
  }
  .bar .field {
    flex: 1 1 8rem;
  }
  .bar .search {
    flex: 3 1 14rem;
  }
  .bar .check {
    white-space: nowrap;
  }
  .state {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    padding: 0.375rem 0.75rem;
    font-size: 0.8125rem;
    color: var(--muted);
    border-block-end: 1px solid var(--line);
  }
  .dot::before {
    content: '';
    display: inline-block;
    inline-size: 0.5rem;
    block-size: 0.5rem;
    margin-inline-end: 0.375rem;
    border-radius: 50%;
    background: var(--line-strong);
  }
  .dot.open::before {
    background: var(--accent);
  }
  .keys {
    margin-inline-start: auto;
  }
  kbd {
    padding: 0 0.3125rem;
    font: 0.75rem/1.4 var(--mono);
    border: 1px solid var(--line-strong);
    border-radius: 4px;
  }
  .split {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    grid-template-rows: minmax(0, 1fr);
    max-block-size: var(--split-max, max(28rem, 100dvh - 19rem));
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    overflow: hidden;
  }
  .list {
    display: flex;
    flex-direction: column;
    min-block-size: 0;
    min-inline-size: 0;
    container-type: inline-size;
  }
  .detail {
    min-inline-size: 0;
    overflow: auto;
    overscroll-behavior: contain;
  }
  .detail:focus-visible {
    outline-offset: -2px;
  }
  @media (min-width: 900px) {
    .split.open {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    .detail {
      border-inline-start: 1px solid var(--line);
    }
  }
  /* The opened entry replaces filters and list, as a page of its own. */
  @media (max-width: 899.98px) {
    .split {
      max-block-size: none;
    }
    .list {
      max-block-size: calc(100dvh - 4rem);
    }
    .detail {
      overflow: visible;
    }
    .above.behind,
    .split.opened .list,
    .split:not(.opened) .detail {
      display: none;
    }
    .keys {
      display: none;
    }
  }
  @media (max-width: 30rem) {
    .bar .search {
      flex-basis: 100%;
    }
  }
`;

export const logRowStyles = css`
  .request-row,
  .event-row,
  .payment-row {
    display: grid;
    gap: 0.5rem;
    align-items: center;
    font: 0.8125rem/1.5 var(--mono);
  }
  .pill {
    justify-self: start;
  }
  .method,
  .type {
    font-weight: 600;
  }
  /* Cut at their end, at the start edge of their column in both directions. */
  :is(.path, .caller, .type, .user) {
    direction: ltr;
    justify-self: start;
    max-inline-size: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  :is(.caller, .user, .count, .duration, .time) {
    color: var(--muted);
  }
  :is(.count, .duration, .time) {
    direction: ltr;
    justify-self: end;
    white-space: nowrap;
  }
`;
