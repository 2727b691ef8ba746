/** Test helpers for apps. They throw if `NODE_ENV` is `production`. */
export { type ManualClock, manualClock } from './manual-clock.js';
export {
  type ExampleEventOptions,
  exampleEvent,
  type SignableEvent,
  type SignedWebhook,
  type SignWebhookOptions,
  signWebhook,
} from './signed-webhook.js';
export {
  createTestService,
  type TestMembership,
  type TestService,
  type TestSession,
  type TestUser,
} from './test-service.js';
