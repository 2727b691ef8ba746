export type { Membership, UserIdentity } from '@latchkey/oauth';
export type { LoginFailure, LoginFailureCode } from '../state/login-failure.js';
export type { LoginStatus } from '../state/login-state.js';
export { type MembershipRule, opensFor } from '../state/membership-rule.js';
export type { SessionSnapshot } from '../state/session-snapshot.js';
export type { Timers } from '../time/wake-up.js';
export { createLoginSession } from './create-login-session.js';
export type { LoginSession, LoginSessionOptions } from './login-session.js';
export type { TokenStorage } from './token-store.js';
