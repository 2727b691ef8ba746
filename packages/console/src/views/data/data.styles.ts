import { css } from 'lit';

/** Styles of the view of the data. */
export const dataStyles = css`
  :host {
    display: grid;
    gap: 0.75rem;
  }
  .kinds {
    display: flex;
    flex-wrap: wrap;
    border-block-end: 1px solid var(--line);
  }
  .kinds a {
    flex: none;
    padding: 0.5rem 0.625rem;
    font-size: 0.8125rem;
    font-weight: 550;
    color: var(--muted);
    text-decoration: none;
    border-block-end: 2px solid transparent;
  }
  .kinds a[aria-current] {
    color: var(--text);
    border-block-end-color: var(--accent);
  }
  .kinds a:focus-visible {
    outline-offset: -2px;
  }
  .count {
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
  }
  .tools {
    align-items: end;
  }
  .tools .field {
    flex: 1 1 14rem;
  }
  .columns {
    display: grid;
    grid-template-columns: minmax(16rem, 2fr) minmax(0, 3fr);
    gap: 0.75rem;
    align-items: start;
  }
  .list {
    block-size: max(20rem, 100dvh - 20rem);
    overflow: hidden;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .back {
    display: none;
  }
  .secrets {
    display: grid;
    gap: 0.5rem;
    border-color: var(--accent);
  }
  .choice {
    display: grid;
    gap: 1rem;
  }
  @media (max-width: 48rem) {
    .kinds {
      flex-wrap: nowrap;
      overflow-x: auto;
    }
    /* Only where the kinds scroll: in a wide window it would scroll the page. */
    .kinds a[aria-current] {
      scroll-initial-target: nearest;
    }
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    .columns.chosen .list {
      display: none;
    }
    .columns:not(.chosen) .detail {
      display: none;
    }
    .back {
      display: inline-flex;
      margin-block-end: 0.75rem;
    }
  }
`;

/** Styles of a row in the list. */
export const rowStyles = css`
  .title {
    font-weight: 600;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .about {
    color: var(--muted);
    font-size: 0.8125rem;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
`;
