/** Sessions and snapshots for stories and tests of pages with the elements. Needs no service. Safe to import in Node. */
export { gateStates, loginStates } from './every-state.js';
export { createStillSession, type StillSessionOptions } from './still-session.js';
