import { css } from 'lit';

/** Styles of the inspector besides those of a log: the row of the receiver above the filters. */
export const viewStyles = css`
  .top {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem 1.5rem;
    margin-block-end: 0.75rem;
  }
  .split {
    --split-max: max(28rem, 100dvh - 22.5rem);
  }
`;
