/** Sessions, checkouts and snapshots for stories and tests of pages with the elements. Needs no service. Safe in Node. */
export { planOwner, plansStates } from './every-plans-state.js';
export { gateStates, loginStates } from './every-state.js';
export { createStillCheckout, type StillCheckoutOptions } from './still-checkout.js';
export { createStillSession, type StillSessionOptions } from './still-session.js';
