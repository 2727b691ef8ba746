export type { Clock } from './clock.js';
export type { GateOptions } from './gates/gate-answers.js';
export type { MembershipCriteria, MembershipPredicate, MembershipRule } from './gates/membership-rule.js';
export { type Latchkey, latchkey } from './latchkey.js';
export { LatchkeyError, type LatchkeyErrorCode } from './latchkey-error.js';
export {
  type PostgresPool,
  postgresLock,
} from './locks/postgres-lock.js';
export { type IoRedisClient, type NodeRedisClient, redisLock } from './locks/redis-lock.js';
export type { Logger } from './logger.js';
export type { LatchkeyOptions } from './options.js';
export { LatchkeyOptionsError, type OptionProblem } from './options-error.js';
export type {
  ForbiddenDetails,
  ForbiddenReason,
  LatchkeyPages,
  SignInFailedDetails,
  SignInFailure,
} from './pages/latchkey-pages.js';
export type { RequestSession } from './request-session.js';
export type { SessionBody } from './routes/session.js';
export type { ExpressSessionStore, StoredSession } from './session/express-session-store.js';
export type { SessionLock } from './session/session-lock.js';
