/** Frame of the account, developer and seller areas. */
export const AREAS = `
.skip-link { position: absolute; inset-block-start: 0.5rem; inset-inline-start: 0.5rem; z-index: 1; padding: 0.625rem 1rem; border-radius: 8px; background: var(--surface); border: 1px solid var(--line-strong); }
.skip-link:not(:focus) { inline-size: 1px; block-size: 1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.layout-area .site-header-inner { inline-size: min(100% - 2rem, 66rem); flex-wrap: nowrap; }
.layout-area a.brand { flex: none; }
.signed-in { display: flex; align-items: center; gap: 0.75rem; min-inline-size: 0; }
.signed-in-person { display: flex; align-items: center; gap: 0.5rem; min-inline-size: 0; }
.signed-in-person .picture { inline-size: 2rem; block-size: 2rem; font-size: 0.75rem; }
.signed-in-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 0.875rem; }
.signed-in .button { white-space: nowrap; }
.area-nav {
  inline-size: min(100% - 2rem, 66rem);
  margin-inline: auto;
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.25rem;
}
.area-nav a {
  display: inline-flex;
  align-items: center;
  min-block-size: 2.75rem;
  padding-inline: 0.75rem;
  color: var(--muted);
  font-weight: 550;
  text-decoration: none;
  border-block-end: 3px solid transparent;
}
.area-nav a:first-child { margin-inline-start: -0.75rem; }
.area-nav a:hover { color: var(--text); border-block-end-color: var(--line-strong); }
.area-nav a[aria-current] { color: var(--text); border-block-end-color: var(--accent); }
.area-nav a:focus-visible { outline-offset: -2px; border-radius: 6px; }
.area {
  inline-size: min(100% - 2rem, 66rem);
  margin-inline: auto;
  padding-block: 1.75rem 3rem;
  display: grid;
  grid-template-columns: 11.5rem minmax(0, 1fr);
  gap: 1.5rem 2.25rem;
  align-items: start;
}
.section-nav { display: flex; flex-direction: column; gap: 0.125rem; position: sticky; inset-block-start: 1rem; }
.section-nav a {
  display: flex;
  align-items: center;
  min-block-size: 2.5rem;
  padding: 0.25rem 0.75rem;
  border-radius: 8px;
  color: var(--text);
  font-size: 0.9063rem;
  text-decoration: none;
}
.section-nav a:hover { background: var(--surface); }
.section-nav a[aria-current] { font-weight: 600; color: var(--accent-strong); background: var(--accent-soft); }
.area-main { min-inline-size: 0; display: flex; flex-direction: column; gap: 1.25rem; }
.area-main:focus { outline: none; }
.area-main h1 { font-size: 1.625rem; }
.page-heading .lead { max-inline-size: 42rem; }
.parent-link { align-self: start; display: inline-flex; align-items: center; min-block-size: 1.75rem; font-size: 0.875rem; }
.parent-link::before { content: "←" / ""; margin-inline-end: 0.375rem; }
[dir="rtl"] .parent-link::before { content: "→" / ""; }
.panel:is(.stack, .form) > h2 { margin: 0; }
.panel-heading { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; margin-block-end: 0.75rem; }
.panel > p + p, .panel > .facts + p { margin-block-start: 0.625rem; }
.panel > p + .rows { margin-block-start: 0.75rem; }
.panel-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 0.625rem; margin-block-start: 1rem; }
.facts { display: grid; grid-template-columns: minmax(7rem, max-content) minmax(0, 1fr); gap: 0.5rem 1.25rem; margin: 0; }
.facts dt { color: var(--muted); font-size: 0.875rem; }
.facts dd { margin: 0; min-inline-size: 0; }
.facts dd ul { display: grid; gap: 0.25rem; }
.row-tags { display: flex; flex-wrap: wrap; gap: 0.375rem; }
.client-heading { display: flex; align-items: center; gap: 0.75rem; min-inline-size: 0; }
.copied { user-select: all; }
.tags { display: flex; flex-wrap: wrap; gap: 0.25rem 0.375rem; margin-block-start: 0.375rem; }
.tags .tag { font-size: 0.75rem; }
.tag.quiet { color: var(--muted); background: var(--sunken); }
.tag.alarm { color: var(--danger); background: var(--danger-soft); }
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
.snippet pre { margin: 0; }
.snippet.wraps { overflow-wrap: anywhere; }
.snippet.wraps pre { white-space: pre-wrap; }
.snippet {
  padding: 0.875rem 1rem;
  overflow-x: auto;
  font: 0.8125rem/1.6 var(--mono);
  overflow-wrap: normal;
  text-align: start;
  background: var(--sunken);
  border: 1px solid var(--line);
  border-radius: var(--radius);
  user-select: all;
}
@media (max-width: 50rem) {
  .area { grid-template-columns: minmax(0, 1fr); padding-block-start: 0.75rem; gap: 1rem; }
  .section-nav { position: static; flex-direction: row; flex-wrap: wrap; gap: 0.25rem; margin-inline: -0.25rem; }
}
@media (max-width: 30rem) {
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0.125rem; }
  .facts dd { margin-block-end: 0.625rem; }
  .signed-in-name { max-inline-size: 7rem; }
}
`;
