export {
  DEFAULT_RATE,
  PROVIDER_CHECKS,
  type ProviderRunOptions,
  runProviderChecks,
  selectChecks,
  UNOBSERVABLE_RULES,
} from './provider/run-provider.js';
export { sandboxDriver } from './provider/sandbox/sandbox-driver.js';
export { sandboxFixtures } from './provider/sandbox/sandbox-fixtures.js';
export {
  type Driver,
  type DriverAction,
  type DriverAnswers,
  type DriverInputs,
  runDriverLine,
} from './provider/session/driver.js';
export type { CheckMode, ProviderCheck } from './provider/session/provider-check.js';
