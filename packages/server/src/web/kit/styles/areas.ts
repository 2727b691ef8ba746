/** Frame of the account, developer and seller areas. */
export const AREAS = `
.skip-link { position: absolute; inset-block-start: 0.5rem; inset-inline-start: 0.5rem; z-index: 1; padding: 0.625rem 1rem; border-radius: 8px; background: var(--surface); border: 1px solid var(--line-strong); }
.skip-link:not(:focus) { inline-size: 1px; block-size: 1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.layout-area .site-header-inner { inline-size: min(100% - 2rem, 70rem); gap: 0 var(--space-5); }
.signed-in { display: flex; align-items: center; gap: var(--space-3); min-inline-size: 0; margin-inline-start: auto; }
.signed-in-person { display: flex; align-items: center; gap: var(--space-2); min-inline-size: 0; min-block-size: 2rem; color: inherit; text-decoration: none; }
.signed-in-person:hover .signed-in-name { text-decoration: underline; }
.signed-in-person .picture { inline-size: 1.75rem; block-size: 1.75rem; font-size: 0.6875rem; }
.signed-in-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-inline-size: 14rem; font-size: var(--type-m); }
.signed-in .button { white-space: nowrap; }
.area-nav { display: flex; gap: var(--space-1); align-self: stretch; overflow-x: auto; scrollbar-width: none; }
.area-nav a {
  flex: none;
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  padding-inline: var(--space-3);
  color: var(--muted);
  font-size: var(--type-m);
  font-weight: 500;
  text-decoration: none;
  white-space: nowrap;
  border-block: 2px solid transparent;
}
.area-nav a:hover { color: var(--text); border-block-end-color: var(--line-strong); }
.area-nav a[aria-current] { color: var(--text); border-block-end-color: var(--accent); scroll-initial-target: nearest; }
.area-nav a:focus-visible { outline-offset: -2px; border-radius: var(--radius-s); }
.area {
  inline-size: min(100% - 2rem, 70rem);
  margin-inline: auto;
  padding-block: var(--space-8) var(--space-12);
  display: grid;
  grid-template-columns: 11rem minmax(0, 1fr);
  gap: var(--space-6) var(--space-8);
  align-items: start;
}
.section-nav { display: flex; flex-direction: column; gap: 0.125rem; margin-inline-start: -0.75rem; position: sticky; inset-block-start: var(--space-4); }
.section-nav a {
  display: flex;
  align-items: center;
  min-block-size: 2.25rem;
  padding: var(--space-1) var(--space-3);
  border-radius: var(--radius);
  color: var(--muted);
  font-size: var(--type-m);
  font-weight: 500;
  text-decoration: none;
}
.section-nav a:hover { color: var(--text); background: var(--surface); }
.section-nav a[aria-current] { color: var(--accent-strong); background: var(--accent-soft); }
.area-main { min-inline-size: 0; display: flex; flex-direction: column; gap: 1.25rem; }
.area-main:focus { outline: none; }
.area-main h1 { font-size: var(--type-2xl); }
.page-heading .lead { max-inline-size: 42rem; }
.parent-link { align-self: start; display: inline-flex; align-items: center; min-block-size: 1.75rem; color: var(--muted); font-size: var(--type-m); text-decoration: none; }
.parent-link:hover { color: var(--text); text-decoration: underline; }
.parent-link::before { content: ""; inline-size: 0.4375rem; block-size: 0.4375rem; margin-inline: 0.125rem 0.4375rem; border: solid currentcolor; border-width: 0 0 1.5px 1.5px; rotate: 45deg; }
[dir="rtl"] .parent-link::before { rotate: -135deg; }
.facts { display: grid; align-items: baseline; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: 0.5rem 1.25rem; margin: 0; }
.facts { font-size: var(--type-m); }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; min-inline-size: 0; }
.facts dd ul { display: grid; gap: 0.5rem; }
.facts + .table-box { margin-block-start: var(--space-5); }
.client-heading { display: flex; align-items: center; gap: 0.75rem; min-inline-size: 0; }
.warning {
  display: flex;
  gap: 0.625rem;
  padding: 0.75rem 1rem;
  background: var(--danger-soft);
  border: 1px solid var(--danger);
  border-radius: var(--radius);
}
.warning .icon { color: var(--danger); margin-block-start: 0.1rem; }
.warning > div { min-inline-size: 0; display: grid; gap: 0.375rem; }
@media (max-width: 50rem) {
  .area { grid-template-columns: minmax(0, 1fr); padding-block-start: 0; gap: var(--space-5); }
  .area:not(:has(> .section-nav a + a)) { padding-block-start: var(--space-5); }
  .section-nav { position: static; flex-direction: row; gap: var(--space-5); margin-inline: -1rem; padding-inline: 1rem; scroll-padding-inline: 1rem; overflow-x: auto; scrollbar-width: none; border-block-end: 1px solid var(--line); }
  .section-nav a, .section-nav a:hover, .section-nav a[aria-current] { flex: none; min-block-size: 2.75rem; padding-inline: 0; white-space: nowrap; color: var(--muted); background: none; border-radius: 0; border-block: 2px solid transparent; }
  .section-nav:not(:has(a + a)) { display: none; }
  .section-nav a:hover { color: var(--text); }
  .section-nav a[aria-current] { color: var(--text); border-block-end-color: var(--accent); scroll-initial-target: nearest; }
}
@media (max-width: 44rem) {
  .layout-area .site-header-inner { flex-wrap: wrap; }
  .area-nav { order: 1; flex-basis: 100%; margin-inline: -0.75rem; }
}
@media (max-width: 30rem) {
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0.125rem; }
  .facts dd { margin-block-end: 0.625rem; }
  .signed-in-name { max-inline-size: 9rem; }
}
/* The initials stand for the name where both would take the header to a second line. */
@media (max-width: 24rem) {
  .signed-in-name { position: absolute; inline-size: 1px; block-size: 1px; clip-path: inset(50%); }
}
@media (forced-colors: active) {
  .section-nav a, .area-nav a, .sub-nav a { border-color: Canvas; }
  .section-nav a[aria-current], .area-nav a[aria-current], .sub-nav a[aria-current] { border-block-end-color: Highlight; }
}
`;

/** Names and pictures next to text, pairs of fields, the search for members, and the choices of a dialog. */
export const AREA_LAYOUT = `
.named { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.625rem; min-inline-size: 0; max-inline-size: 100%; }
.named > bdi, .named > a { min-inline-size: 0; overflow-wrap: anywhere; }
.cell-actions { display: inline-flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.5rem; }
.plain-list { display: grid; gap: 0.125rem; }
.profile-text { display: grid; gap: 0.125rem; min-inline-size: 0; overflow-wrap: anywhere; }
/* The picture and the text beside it, or above it where there is no room. */
.two-step-setup { display: flex; flex-wrap: wrap; gap: 1.25rem 1.5rem; align-items: start; }
.two-step-setup > .qr-code { flex: none; }
.two-step-setup > .stack { flex: 1 1 16rem; min-inline-size: 0; }


.field-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 0 1rem; }
/* Labels, hints and errors of both fields end at the same height. */
.field-pair > .field { display: grid; grid-row: span 4; grid-template-rows: subgrid; gap: 0; }
.field-pair > .field > * { grid-row: 4; align-self: start; margin-block: 0.375rem 0; }
.field-pair > .field > label { grid-row: 1; margin-block: 0; }
.field-pair > .field > .field-hint { grid-row: 2; margin-block: 0; }
.field-pair > .field > [id$="-errors"] { grid-row: 3; }
@media (max-width: 30rem) { .field-pair > .field + .field { margin-block-start: var(--space-5); } }
.search-form { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 0.75rem; margin-block: 1rem; }
.search-form .field { flex: 1 1 16rem; }
.panel > .muted + .table-box { margin-block-start: 1rem; }
.dialog-choices { display: grid; gap: 1rem; }
.dialog-choices > li { display: grid; justify-items: start; gap: 0.375rem; }
.sub-nav-count { margin-inline-start: 0.375rem; }
`;
