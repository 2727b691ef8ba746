import { css } from 'lit';

export const toolStyles = css`
  .columns {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    align-items: start;
    gap: 1rem;
  }
  .stack,
  .form {
    display: grid;
    gap: 1rem;
  }
  h2:focus-visible {
    outline-offset: 4px;
  }
  .rows {
    display: grid;
  }
  .entry {
    display: flex;
    flex-wrap: wrap;
    align-items: start;
    justify-content: space-between;
    gap: 0.5rem 1rem;
    padding-block: 0.75rem;
    border-block-start: 1px solid var(--line);
  }
  .entry:last-child {
    padding-block-end: 0;
  }
  .entry-text {
    display: grid;
    flex: 1;
    gap: 0.125rem;
    min-inline-size: min(16rem, 100%);
    overflow-wrap: anywhere;
  }
  .hints {
    margin-block-start: 0.25rem;
    padding-inline-start: 1.125rem;
    list-style: disc;
  }
  time {
    white-space: nowrap;
    font-variant-numeric: tabular-nums;
  }
  @media (max-width: 60rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
