/** Layout of the seller area: pairs of fields, the search for members, and the choices of a dialog. */
export const SELLER = `
.field-pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 14rem), 1fr)); gap: 1.25rem 1rem; align-items: end; }
.search-form { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 0.75rem; margin-block: 1rem; }
.search-form .field { flex: 1 1 16rem; }
.panel > .muted + .table-box { margin-block-start: 1rem; }
.dialog-choices { display: grid; gap: 1rem; }
.dialog-choices > li { display: grid; justify-items: start; gap: 0.375rem; }
.sub-nav-count { margin-inline-start: 0.375rem; }
`;
