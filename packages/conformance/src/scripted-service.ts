/** The scripted service for tests that run in Node.js. */

export {
  type RunningFakeService,
  readRequest,
  startFakeService,
  unusedAddress,
} from './scripted-service/http-server.js';
export * from './scripted-service-browser.js';
