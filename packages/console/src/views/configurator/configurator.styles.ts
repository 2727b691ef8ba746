import { css } from 'lit';

/** Layout of the configurator: settings beside preview and code, one below the other on a narrow screen. */
export const configuratorStyles = css`
  .columns {
    display: grid;
    grid-template-columns: minmax(16rem, 22rem) minmax(0, 1fr);
    gap: 1rem;
    align-items: start;
  }
  .side,
  .main,
  .fields {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    min-inline-size: 0;
  }
  .fields {
    padding-block-start: 0.75rem;
  }
  .hint {
    font-size: 0.8125rem;
    line-height: 1.35;
  }
  h2 {
    margin-block-end: 0.5rem;
  }
  details > summary {
    min-block-size: 2rem;
    font-weight: 600;
    cursor: pointer;
    align-content: center;
  }
  details + details {
    border-block-start: 1px solid var(--line);
  }
  .elements {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1rem;
  }
  .notice {
    padding: 0.625rem 0.75rem;
    background: var(--ribbon);
    color: var(--ribbon-text);
    margin-block-end: 0.75rem;
    border-color: var(--ribbon);
    border-radius: 8px;
    justify-content: space-between;
  }
  .preview-head {
    justify-content: space-between;
  }
  @media (max-width: 60rem) {
    .columns {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
