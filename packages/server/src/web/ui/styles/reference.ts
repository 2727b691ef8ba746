/** The API reference: contents at the side, operations with their fields, examples and answers. */
export const REFERENCE = `
.layout-reference .site-header-inner, .reference { inline-size: min(100% - 2rem, 76rem); }
.reference { margin-inline: auto; display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 2.5rem; align-items: start; }
.contents {
  position: sticky;
  inset-block-start: 0;
  max-block-size: 100vh;
  overflow-y: auto;
  padding-block: 2rem;
  font-size: 0.875rem;
}
.contents-group { margin: 0 0 0.25rem; font-weight: 650; }
.contents ul { margin-block-end: 1rem; }
.contents a {
  display: flex;
  align-items: center;
  gap: 0.5rem;
  min-block-size: 2rem;
  padding: 0.25rem 0.5rem;
  margin-inline: -0.5rem;
  border-radius: 8px;
  color: var(--text);
  text-decoration: none;
}
.contents a:hover { background: var(--surface); text-decoration: underline; }
.reference-main { padding-block: 2rem 4rem; outline: none; }
.reference-main h1 { font-size: 1.75rem; margin-block-end: 0.75rem; }
.group-title { margin-block: 3rem 0.25rem; padding-block-start: 1.5rem; border-block-start: 1px solid var(--line-strong); font-size: 1.375rem; }
.prose { display: flex; flex-direction: column; gap: 0.625rem; max-inline-size: 46rem; }
.bullets { display: grid; gap: 0.25rem; padding-inline-start: 1.25rem; list-style: disc; }
.bullets li::marker { color: var(--muted); }
.operation {
  margin-block-start: 1.5rem;
  padding: 1.5rem;
  background: var(--surface);
  border: 1px solid var(--line);
  border-radius: 14px;
  scroll-margin-block-start: 1rem;
}
.operation:target { border-color: var(--accent); }
.operation h3 { margin: 0; font-size: 1.125rem; font-weight: 650; }
.operation h4 { margin: 1.5rem 0 0.5rem; font-size: 0.875rem; font-weight: 650; color: var(--muted); }
.operation-address { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.625rem; margin-block: 0.5rem 1rem; }
.try-link { margin-inline-start: auto; min-block-size: 1.75rem; display: inline-flex; align-items: center; }
.method {
  flex: none;
  min-inline-size: 3rem;
  padding: 0.0625rem 0.375rem;
  border-radius: 6px;
  font-size: 0.6875rem;
  font-weight: 700;
  letter-spacing: 0.03em;
  text-align: center;
  color: #ffffff;
}
.method-get { background: var(--tint-1); }
.method-post { background: var(--tint-0); }
.method-event { background: var(--tint-3); }
.fields { margin: 0; }
.field-row { padding-block: 0.5rem; border-block-start: 1px solid var(--line); }
.field-row dt { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.625rem; }
.field-row dd { margin: 0; }
.field-row dd > .fields, .field-row dd > .variant { margin-block-start: 0.375rem; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); }
.field-name { font-weight: 650; color: var(--text); }
.field-kind, .field-optional, .field-values { color: var(--muted); font-size: 0.8438rem; }
.field-optional { font-style: italic; }
.variant + .variant { margin-block-start: 0.75rem; }
.variant-label { margin-block: 0.25rem; font-size: 0.8125rem; font-weight: 600; color: var(--muted); }
.answer { padding-block: 0.5rem; border-block-start: 1px solid var(--line); }
.answer > summary { display: flex; align-items: baseline; gap: 0.625rem; padding-block: 0.25rem; cursor: pointer; }
.answer > summary::after { content: "+"; margin-inline-start: auto; font-family: var(--mono); color: var(--muted); }
.answer[open] > summary::after { content: "–"; }
.answer > summary::-webkit-details-marker { display: none; }
.answer[open] > summary { margin-block-end: 0.5rem; }
.answer.plain { display: flex; align-items: baseline; gap: 0.625rem; padding-block: 0.75rem; }
.status { flex: none; padding: 0.0625rem 0.4375rem; border-radius: 6px; font-weight: 650; background: var(--sunken); }
.status-2, .status-3 { color: var(--accent); background: var(--accent-soft); }
.status-4, .status-5 { color: var(--danger); background: var(--danger-soft); }
.example { margin: 0.75rem 0 0; }
.example figcaption { margin-block-end: 0.25rem; font-size: 0.8125rem; color: var(--muted); }
.code {
  margin: 0;
  padding: 0.75rem 0.875rem;
  font-family: var(--mono);
  font-size: 0.8125rem;
  line-height: 1.5;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: 8px;
}
.code code { font-size: inherit; }
@media (max-width: 56rem) {
  .reference { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .contents { position: static; max-block-size: none; padding-block: 1.25rem 0; columns: 15rem; column-gap: 2rem; }
  .contents > div { break-inside: avoid; }
  .reference-main { padding-block-start: 1rem; }
}
@media (max-width: 30rem) {
  .operation { padding: 1.125rem; }
}
`;
