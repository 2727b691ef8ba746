export type { Performers } from './caller/drive/driver.js';
export {
  PASSIVE_SCRIPT_NAMES,
  type PassiveService,
  startPassiveService,
} from './caller/passive/passive-service.js';
export {
  type CallerProfile,
  type CallerProfileInput,
  callerProfile,
} from './caller/record/caller-profile.js';
export { type ScriptedService, startScriptedService } from './caller/service/scripted-service.js';
export { RUN_SCRIPT_NAMES, type TestCallerOptions, testCaller } from './caller/test-caller.js';
