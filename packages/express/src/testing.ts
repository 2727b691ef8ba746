/** For the tests of your own app; nothing here is meant for one that serves people. */
export { type ManualClock, manualClock } from './testing/manual-clock.js';
export {
  type ExampleEventOptions,
  exampleEvent,
  type SignableEvent,
  type SignedWebhook,
  type SignWebhookOptions,
  signWebhook,
} from './testing/signed-webhook.js';
export {
  createTestService,
  type TestService,
  type TestSession,
  type TestUser,
} from './testing/test-service.js';
