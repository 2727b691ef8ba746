export type { Driver, DriverAction, DriverAnswers, DriverInputs } from './provider/driver/driver.js';
export { runDriverLine } from './provider/driver/run-driver-line.js';
export { PROVIDER_CHECKS } from './provider/provider-checks.js';
export {
  DEFAULT_RATE,
  type ProviderRunOptions,
  runProviderChecks,
  selectChecks,
} from './provider/run-provider.js';
export { sandboxDriver } from './provider/sandbox/sandbox-driver.js';
export { sandboxFixtures } from './provider/sandbox/sandbox-fixtures.js';
export type { CheckMode, ProviderCheck } from './provider/session/provider-check.js';
export { UNOBSERVABLE_RULES } from './provider/unobservable-rules.js';
