/** Longer forms: choices, text areas, errors and secrets. */
export const FORMS = `
.form { display: flex; flex-direction: column; gap: 1.25rem; }
.form-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.625rem 1rem; }
.field-hint { font-size: 0.8438rem; color: var(--muted); max-inline-size: 40rem; }
textarea { padding-block: 0.625rem; line-height: 1.5; resize: vertical; }
.literal { font-family: var(--mono); font-size: 0.875rem; }
select { text-overflow: ellipsis; }
fieldset { min-inline-size: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-size: 0.875rem; font-weight: 550; }
fieldset.choices > * + * { margin-block-start: 0.5rem; }
.choice { display: flex; align-items: flex-start; gap: 0.75rem; }
.choice > div { min-inline-size: 0; padding-block: 0.125rem; }
.choice input { flex: none; inline-size: 1.375rem; block-size: 1.375rem; margin: 0.125rem; accent-color: var(--accent); }
.choice label { display: block; padding-block: 0.0625rem; }
.error-summary {
  display: flex;
  gap: 0.625rem;
  padding: 0.875rem 1rem;
  background: var(--danger-soft);
  border: 1px solid var(--danger);
  border-radius: var(--radius);
}
.error-summary > .icon { color: var(--danger); margin-block-start: 0.1rem; }
.error-summary > div { min-inline-size: 0; }
.error-summary h2 { margin-block-end: 0.25rem; }
.error-summary li { padding-block: 0.125rem; }
.error-summary a { color: inherit; }
.notes { display: grid; gap: 0.375rem; padding-inline-start: 1.125rem; list-style: disc; }
.notes li::marker { color: var(--muted); }
.button.danger { color: var(--danger); background: var(--surface); border-color: var(--danger); }
.button.danger:hover { color: var(--surface); background: var(--danger); }
.button.quiet { color: var(--muted); background: none; }
.button.quiet:hover { color: var(--text); background: var(--sunken); }
`;
