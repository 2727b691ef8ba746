import { css } from 'lit';

/** Styles of fields and buttons. `primary`, `danger` and `plain` are classes of a button. */
export const formStyles = css`
  label,
  legend {
    font-size: 0.8125rem;
    font-weight: 550;
  }
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
    display: grid;
    gap: 0.25rem;
    min-inline-size: 0;
  }
  .field-error {
    color: var(--danger);
    font-size: 0.8125rem;
  }
  input:not([type='checkbox'], [type='radio'], [type='range']),
  select,
  textarea {
    inline-size: 100%;
    min-block-size: 2.125rem;
    padding: 0.25rem 0.625rem;
    font: inherit;
    color: var(--text);
    background: var(--surface);
    border: 1px solid var(--line-strong);
    border-radius: 8px;
  }
  .row > input:not([type='checkbox'], [type='radio']) {
    flex: 1;
    min-inline-size: 10rem;
    inline-size: auto;
  }
  textarea {
    min-block-size: 8rem;
    font-family: var(--mono);
    font-size: 0.8125rem;
  }
  input:focus-visible,
  select:focus-visible,
  textarea:focus-visible {
    outline-offset: -1px;
    border-color: var(--accent);
  }
  [aria-invalid='true'] {
    border-color: var(--danger) !important;
  }
  ::placeholder {
    color: var(--muted);
    opacity: 1;
  }
  .check {
    display: inline-flex;
    align-items: center;
    gap: 0.375rem;
    min-block-size: 2.125rem;
    cursor: pointer;
  }
  input:is([type='checkbox'], [type='radio']) {
    inline-size: 1rem;
    block-size: 1rem;
    margin: 0;
    accent-color: var(--accent);
  }
  button,
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.375rem;
    min-block-size: 2.125rem;
    padding: 0.25rem 0.75rem;
    font: inherit;
    font-weight: 550;
    color: var(--text);
    text-decoration: none;
    background: var(--surface);
    border: 1px solid var(--line-strong);
    border-radius: 8px;
    cursor: pointer;
    white-space: nowrap;
  }
  :is(button, .button):hover:not(:disabled) {
    color: var(--text);
    background: var(--sunken);
  }
  button:disabled {
    color: var(--muted);
    background: var(--sunken);
    border-color: var(--line);
    cursor: default;
  }
  /* The white space around a hidden text is an item of the row. */
  button:has(> .visually-hidden) {
    gap: 0;
  }
  button.primary,
  button.primary:hover:not(:disabled) {
    color: var(--on-accent);
    background: var(--accent);
    border-color: transparent;
  }
  button.primary:hover:not(:disabled) {
    background: var(--accent-strong);
  }
  button.danger:not(:disabled) {
    color: var(--danger);
    border-color: var(--danger);
  }
  button.plain {
    border-color: transparent;
    background: none;
  }
  button[aria-pressed='true'] {
    color: var(--accent-strong);
    background: var(--accent-soft);
    border-color: var(--accent);
  }
`;
