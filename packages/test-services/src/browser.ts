/** The entry for tests that run in a browser: no Node module and no zod. */

export { type FakeRequest, fakeRequest, type RecordedRequest } from './messages/fake-request.js';
export { type EndlessResponses, endlessResponses, respond, respondUnfinished } from './messages/responses.js';
export {
  ASSUMPTIONS,
  type Assumption,
  READINGS,
  type ReadingName,
  type ReadingSettings,
} from './reading/settings.js';
export { fakeFetch } from './service/fake-fetch.js';
export {
  createFakeService,
  type FakeService,
} from './service/fake-service.js';
export type { FakeServiceOptions } from './service/fake-service-options.js';
export type { Outcome } from './service/outcome.js';
export type { Fault, FaultName, Reply, ReplyFunction, Script } from './service/script.js';
export {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeClient,
  PUBLIC_CLIENT,
} from './state/clients.js';
export type { Clock } from './state/clock.js';
export type { FakeDelivery, FakeWebhook } from './state/events.js';
export { type NewToken, randomToken } from './state/grants.js';
export {
  type FakeMembership,
  type FakeProduct,
  type FakeUser,
  fakeMembership,
  fakeUser,
} from './state/users.js';
export {
  DEFAULT_OWNER,
  type FakeApiKey,
  type FakeCommunity,
  type FakeDrop,
  type FakePlan,
} from './state/world.js';
