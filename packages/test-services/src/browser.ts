/** The entry for tests that run in a browser: no Node module and no zod. */
export {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeClient,
  PUBLIC_CLIENT,
} from './clients.js';
export type { Clock } from './clock.js';
export { fakeFetch } from './fake-fetch.js';
export { type FakeRequest, fakeRequest, type RecordedRequest } from './fake-request.js';
export {
  createFakeService,
  type FakeService,
  type FakeServiceOptions,
  type Outcome,
} from './fake-service.js';
export { type NewToken, randomToken } from './grants.js';
export { type EndlessResponses, endlessResponses, respond, respondUnfinished } from './responses.js';
export type { Fault, FaultName, Reply, ReplyFunction, Script } from './script.js';
export { type FakeMembership, type FakeProduct, type FakeUser, fakeMembership, fakeUser } from './users.js';
