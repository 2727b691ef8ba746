/** The scripted service for tests that run in a browser: without Node.js modules and zod. */
export {
  ASSUMPTIONS,
  type Assumption,
  READINGS,
  type ReadingName,
  type ReadingSettings,
} from './scripted-service/assumptions.js';
export {
  createFakeService,
  type FakeService,
  type FakeServiceOptions,
} from './scripted-service/fake-service.js';
export {
  CLIENT_SECRET,
  CONFIDENTIAL_CLIENT,
  type FakeClient,
  type NewToken,
  PUBLIC_CLIENT,
  randomToken,
} from './scripted-service/grants.js';
export type { FakeDelivery, FakeWebhook } from './scripted-service/reading.js';
export { type FakeRequest, fakeRequest, type RecordedRequest } from './scripted-service/request.js';
export {
  type EndlessResponses,
  endlessResponses,
  type Fault,
  type FaultName,
  fakeFetch,
  type Outcome,
  type Reply,
  type ReplyFunction,
  respond,
  respondUnfinished,
  type Script,
} from './scripted-service/script.js';
export {
  type Clock,
  DEFAULT_OWNER,
  type FakeApiKey,
  type FakeCommunity,
  type FakeDrop,
  type FakeMembership,
  type FakePlan,
  type FakeProduct,
  type FakeUser,
  fakeMembership,
  fakeUser,
} from './scripted-service/world.js';
