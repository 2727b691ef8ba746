import { css } from 'lit';

export const dataStyles = css`
  :host {
    display: grid;
    gap: 0.75rem;
  }
  .kinds {
    gap: 1rem;
  }
  .kinds a {
    gap: 0.375rem;
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
    display: flex;
    flex-direction: column;
    max-block-size: max(20rem, 100dvh - 22.5rem);
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
    /* Only where the kinds scroll: in a wide window it would scroll the page. */
    .kinds a[aria-current] {
      scroll-initial-target: nearest;
    }
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
    .list {
      max-block-size: calc(100dvh - 4rem);
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

export const rowStyles = css`
  .title,
  .about {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .title {
    font-weight: 600;
  }
  .about {
    -webkit-line-clamp: 3;
    color: var(--muted);
    font-size: 0.8125rem;
  }
`;
