export type { UserIdentity } from '@latchkey/oauth';
export type { Timers } from '../browser/wake-up.js';
export type { LoginFailure, LoginFailureCode } from '../state/login-failure.js';
export type { LoginStatus, Membership, SessionSnapshot } from '../state/login-state.js';
export { type MembershipRule, opensFor } from '../state/membership-rule.js';
export { createLoginSession, type LoginSession, type LoginSessionOptions } from './login-session.js';
export type { TokenStorage } from './token-store.js';
