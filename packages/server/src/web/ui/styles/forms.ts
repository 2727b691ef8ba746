/** Longer forms: choices, text areas, errors and secrets. */
export const FORMS = `
.form { display: flex; flex-direction: column; gap: var(--space-5); }
.form-actions { display: flex; flex-wrap: wrap; align-items: center; gap: var(--space-3) var(--space-4); }
.form-actions a:not(.button) { font-size: var(--type-m); }
@media (max-width: 30rem) {
  .form-actions > .button { flex: 1 1 auto; }
  .form-actions:has(> .button:nth-child(3)) > .button:first-child { flex-basis: 100%; }
}
.field-hint { font-size: var(--type-s); line-height: 1.5; color: var(--muted); max-inline-size: 36rem; text-wrap: pretty; }
.field > label + .field-hint { margin-block-start: -0.25rem; }
/* Fields of a form end at one edge, close to their labels. */
.form .field > :is(input:not([type="checkbox"], [type="radio"]), select, textarea), .form :is(.field-pair, .logo-field) { max-inline-size: 36rem; }
textarea { padding-block: var(--space-2); line-height: 1.5; resize: vertical; }
.literal { font-family: var(--mono); font-size: var(--type-s); }
select { text-overflow: ellipsis; }
fieldset { min-inline-size: 0; margin: 0; padding: 0; border: 0; }
legend { padding: 0; }
fieldset.choices > * + * { margin-block-start: var(--space-2); }
.choice { display: flex; align-items: flex-start; gap: 0.625rem; }
.choice > div { min-inline-size: 0; padding-block: 0.125rem; }
.choice input { flex: none; inline-size: 1.125rem; block-size: 1.125rem; margin: 0.25rem 0.125rem; accent-color: var(--accent); }
.choice label { display: block; padding-block: 0.0625rem; }
.error-summary {
  display: flex;
  gap: 0.625rem;
  padding: var(--space-3) var(--space-4);
  font-size: var(--type-m);
  background: var(--danger-soft);
  border: 1px solid var(--danger);
  border-radius: var(--radius);
}
.error-summary:focus-visible { outline-color: var(--danger); outline-offset: 1px; }
.error-summary > .icon { color: var(--danger); margin-block-start: 0.125rem; }
.error-summary > div { min-inline-size: 0; }
.error-summary h2 { font-size: var(--type-body); }
.error-summary li { padding-block: 0.125rem; }
.error-summary a { color: inherit; }
.notes { display: grid; gap: 0.375rem; padding-inline-start: 1.125rem; list-style: disc; }
.notes li::marker { color: var(--muted); }
`;
