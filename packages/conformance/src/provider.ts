export * as observations from './provider/calls/shared-observations.js';
export {
  PROVIDER_CHECKS,
  type ProviderRunOptions,
  runCheck,
  runProviderChecks,
  selectChecks,
  UNOBSERVABLE_RULES,
} from './provider/run-provider.js';
export { sandboxDriver } from './provider/sandbox/sandbox-driver.js';
export { sandboxFixtures } from './provider/sandbox/sandbox-fixtures.js';
export { type Answer, Missing, valueAt } from './provider/session/answer.js';
export {
  type Driver,
  type DriverAction,
  type DriverAnswers,
  type DriverInputs,
  runDriverLine,
} from './provider/session/driver.js';
export type { CheckMode, ProviderCheck } from './provider/session/session.js';
export { Session } from './provider/session/session.js';
