/** Tables. Where their box is narrow, rows become blocks of labelled values. */
export const TABLE = `
.table-box { container-type: inline-size; min-inline-size: 0; }
.table { inline-size: 100%; border-collapse: collapse; font-size: 0.875rem; line-height: 1.4286; }
.table :is(th, td) { padding: 0.625rem 1rem 0.625rem 0; text-align: inherit; vertical-align: top; font-weight: 400; }
[dir="rtl"] .table :is(th, td) { padding: 0.625rem 0 0.625rem 1rem; }
.table :is(th, td):last-child { padding-inline-end: 0; }
.table thead th { padding-block: 0 0.5rem; font-size: 0.8125rem; font-weight: 500; color: var(--muted); vertical-align: bottom; white-space: nowrap; border-block-end: 1px solid var(--line); }
.table tbody tr + tr > * { border-block-start: 1px solid var(--line); }
.table tbody tr:last-child > * { padding-block-end: 0.125rem; }
.table tbody th { font-weight: 500; }
.table td:not([data-label]):last-child { text-align: end; }
[dir="rtl"] .table td:not([data-label]):last-child { text-align: left; }
.table tbody th .muted { font-weight: 400; }
.table td { overflow-wrap: break-word; }
.table td :is(bdi, code) { overflow-wrap: anywhere; }
.table .numeric { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
[dir="rtl"] .table .numeric { text-align: left; }
.table :is(th, td):has(.button) { padding-block: 0.375rem; }
.table time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.table .muted { font-size: 0.8125rem; }
.table .picture { inline-size: 1.75rem; block-size: 1.75rem; margin-block: -0.25rem; font-size: 0.6875rem; vertical-align: middle; }
@container (max-width: 34rem) {
  .table :is(th, td), [dir="rtl"] .table :is(th, td) { padding: 0; }
  .table, .table :is(tbody, tr, th, td) { display: block; }
  .table thead { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tbody tr { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.25rem; padding-block: 0.875rem; }
  .table tbody tr:first-child { padding-block-start: 0.125rem; }
  .table tbody tr + tr { border-block-start: 1px solid var(--line); }
  .table tbody tr + tr > *, .table tbody tr:last-child > * { padding-block-end: 0; border: 0; }
  .table tbody th { font-size: 0.9375rem; }
  .table td, .table td.numeric { display: flex; align-items: baseline; gap: 0.75rem; text-align: inherit; white-space: normal; }
  .table td[data-label]::before { content: attr(data-label) / ""; flex: 0 0 6.5rem; font-size: 0.8125rem; color: var(--muted); }
  .table td > * { min-inline-size: 0; }
  .table td > .pill { flex: none; }
  .table time { white-space: normal; }
  .table td:empty { display: none; }
  .table td:not([data-label]):has(.button) { padding-block-start: 0.375rem; }
}
@container (max-width: 18rem) {
  .table td, .table td.numeric { gap: 0.5rem; }
  .table td[data-label]::before { flex-basis: 5.25rem; }
}
`;
