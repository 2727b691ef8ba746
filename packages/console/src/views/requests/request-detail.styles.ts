import { css } from 'lit';

/** Styles of the entry. */
export const detailStyles = css`
  :host {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    gap: 1rem;
    padding: 1rem;
  }
  header {
    display: grid;
    gap: 0.625rem;
  }
  h2 {
    font-weight: 500;
    overflow-wrap: anywhere;
    direction: ltr;
    text-align: left;
  }
  h2:focus {
    outline: none;
  }
  h2 code {
    font-size: 0.9375rem;
  }
  h3 {
    margin-block-end: 0.375rem;
  }
  h3 .muted {
    font-weight: 400;
  }
  .rule {
    padding: 0.625rem 0.875rem;
    background: var(--sunken);
    border-inline-start: 3px solid var(--accent);
    border-radius: 0 8px 8px 0;
  }
  .rule .muted {
    display: block;
    font-size: 0.8125rem;
  }
  .facts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr));
    gap: 0.375rem 1rem;
  }
  dt {
    color: var(--muted);
    font-size: 0.8125rem;
  }
  dd {
    overflow-wrap: anywhere;
  }
  time {
    font: 0.8125rem/1.5 var(--mono);
  }
  summary {
    min-block-size: 1.75rem;
    align-content: center;
    font-size: 0.8125rem;
    font-weight: 650;
    cursor: pointer;
    border-radius: 4px;
  }
  summary .muted {
    font-weight: 400;
  }
  .headers {
    direction: ltr;
    text-align: left;
    font-family: var(--mono);
    font-size: 0.8125rem;
  }
  .headers div {
    display: grid;
    grid-template-columns: minmax(0, 12rem) minmax(0, 1fr);
    gap: 0.75rem;
    padding-block: 0.1875rem;
    border-block-end: 1px solid var(--line);
  }
  .headers dt {
    overflow-wrap: anywhere;
  }
`;
