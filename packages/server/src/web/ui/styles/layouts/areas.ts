/** Layout of the account and developer areas. */
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
`;
