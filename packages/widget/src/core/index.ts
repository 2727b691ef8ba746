export type { Membership, UserIdentity } from '@latchkey/oauth';
export type { LoginFailure, LoginFailureCode } from './login-failure.js';
export { createLoginSession, type LoginSession, type LoginSessionOptions } from './login-session.js';
export type { LoginStatus } from './login-state.js';
export { type MembershipRule, opensFor } from './membership-rule.js';
export type { SessionSnapshot } from './session-snapshot.js';
export type { TokenStorage } from './token-store.js';
export type { Timers } from './wake-up.js';
