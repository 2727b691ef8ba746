import { css } from 'lit';

/** Layout of forms. Fields and buttons have the styles of the parts. */
export const formStyles = css`
  legend {
    padding: 0;
  }
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-inline-size: 0;
  }
  .field {
    gap: 0.25rem;
  }
  .row > input:not([type='checkbox'], [type='radio']) {
    flex: 1;
    min-inline-size: 10rem;
    inline-size: auto;
  }
  textarea {
    min-block-size: 8rem;
    padding-block: 0.5rem;
    font-family: var(--mono);
    font-size: var(--type-s);
  }
  .check {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: var(--control);
    cursor: pointer;
  }
  .check input {
    inline-size: 1rem;
    block-size: 1rem;
    margin: 0;
    accent-color: var(--accent);
  }
  .button {
    white-space: nowrap;
  }
  /* The white space around a hidden text is an item of the row. */
  .button:has(> .visually-hidden) {
    gap: 0;
  }
`;
