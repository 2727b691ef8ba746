/**
 * The part of the widget that a page needs only for a sign-in, or for the tokens of a stored session: the popup, the
 * redirect, and the protocol. `latchkey.js` loads it as a file of its own.
 */
export { exchangeCode, refreshTokenSet } from '@latchkey/oauth';
export { corsFetch, fetchAccount } from './account-requests.js';
export { SignInFlow } from './sign-in-flow.js';
