/** Layout of the account and developer areas. */
export const AREA_LAYOUT = `
.named { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.625rem; min-inline-size: 0; max-inline-size: 100%; }
.named > bdi, .named > a { min-inline-size: 0; overflow-wrap: anywhere; }
.cell-actions { display: inline-flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.5rem; }
.plain-list { display: grid; gap: 0.125rem; }
.profile-text { display: grid; gap: 0.125rem; min-inline-size: 0; overflow-wrap: anywhere; }
`;
