/** For those who build a page around the elements: the elements in every state, without a service. Safe in Node. */
export { gateStates, loginStates } from './every-state.js';
export { createStillSession, type StillSessionOptions } from './still-session.js';
