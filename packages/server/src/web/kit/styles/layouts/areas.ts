/**
 * Layout of the areas: names and pictures next to text, pairs of fields, the search for members, and the choices of a
 * dialog.
 */
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
