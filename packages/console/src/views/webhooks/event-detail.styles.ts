import { css } from 'lit';

/** Styles of an event with its deliveries. */
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
  h2:focus {
    outline: none;
  }
  h3 {
    overflow-wrap: anywhere;
  }
  h4 {
    margin: 0;
    font-size: 0.8125rem;
    font-weight: 650;
  }
  h4 .muted {
    font-weight: 400;
  }
  time {
    font: 0.8125rem/1.5 var(--mono);
  }
  .facts,
  .delivery,
  .exchange,
  section {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.5rem;
  }
  .facts div {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.5rem;
  }
  dt {
    color: var(--muted);
  }
  dd {
    overflow-wrap: anywhere;
  }
  .delivery {
    padding: 0.875rem;
    border: 1px solid var(--line);
    border-radius: 10px;
  }
  .delivery-heading,
  .part-heading {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.375rem 0.75rem;
  }
  summary {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.375rem 0.625rem;
    min-block-size: 2.125rem;
    padding-inline: 0.375rem;
    font-size: 0.8125rem;
    cursor: pointer;
    border-radius: 6px;
  }
  summary::before {
    content: '';
    inline-size: 0.4375rem;
    block-size: 0.4375rem;
    border-block-end: 2px solid var(--muted);
    border-inline-end: 2px solid var(--muted);
    rotate: -45deg;
  }
  [dir='rtl'] summary::before,
  :host(:dir(rtl)) summary::before {
    rotate: 45deg;
  }
  details[open] > summary::before {
    rotate: 45deg;
  }
  summary:hover {
    background: var(--sunken);
  }
  .mark {
    padding: 0 0.375rem;
    border: 1px solid var(--line-strong);
    border-radius: 4px;
    font: 0.75rem/1.5 var(--mono);
  }
  .exchange {
    gap: 0.875rem;
    padding: 0.5rem 0.375rem 0.75rem;
  }
  .address,
  .headers {
    direction: ltr;
    text-align: left;
  }
  .headers {
    font-family: var(--mono);
    font-size: 0.8125rem;
  }
  .headers div {
    display: grid;
    grid-template-columns: minmax(0, 10rem) minmax(0, 1fr);
    gap: 0.75rem;
    padding-block: 0.1875rem;
    border-block-end: 1px solid var(--line);
  }
  .headers dt {
    overflow-wrap: anywhere;
  }
`;
