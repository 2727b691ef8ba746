/** The entry for tests and benchmarks that run in Node. */
export * from './browser.js';
export {
  type RunningFakeService,
  readRequest,
  startFakeService,
  unusedAddress,
} from './service/http-server.js';
