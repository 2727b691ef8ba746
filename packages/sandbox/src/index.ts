export type { DataRecord, RecordKind } from '@latchkey/server/extension';
export type { RecordField } from '@latchkey/server/schemas';
/** A membership service for development, built on `@latchkey/server`. */

export type { SandboxControl } from './control/control.js';
export type {
  Deliveries,
  DeliveryEntry,
  EventEntry,
  EventPage,
  ResendEffect,
} from './control/deliveries/deliveries.js';
export type { ForwardedDelivery, ListenerEntry, Listeners } from './control/deliveries/listeners.js';
export type { PurchaseInput, PurchaseResult } from './control/deliveries/purchase.js';
export type { AttemptEntry } from './control/deliveries/round-trip-log.js';
export type { TestEventInput } from './control/deliveries/test-event.js';
export type { PastedDelivery, SignatureCheck } from './control/deliveries/verify-signature.js';
export type { Faults } from './control/faults/fault-list.js';
export type {
  PaymentEntry,
  PaymentPage,
  PaymentProviderState,
  Payments,
  PaymentWebhookEntry,
} from './control/payments/payments.js';
export type { Caller } from './control/requests/caller-of.js';
export type { DecidingRule } from './control/requests/describe-request.js';
export type { LoggedBody, LoggedHeaders } from './control/requests/redact-round-trip.js';
export type {
  LoggedRequest,
  RequestFilter,
  RequestPage,
  RequestSummary,
  Requests,
} from './control/requests/request-log.js';
export type { DeliveryEffect, Fault, FaultEffect, FaultInput } from './control/routes/fault.js';
export type { Snapshot } from './control/snapshots/snapshot.js';
export type { SnapshotEntry, Snapshots } from './control/snapshots/snapshots.js';
export type { Happening } from './control/timeline/pass-time.js';
export type {
  ClockMove,
  ClockPreset,
  ClockReading,
  Timeline,
} from './control/timeline/timeline.js';
export { sandboxEnv } from './integration/sandbox-values.js';
export type { ReceivedMail, SandboxMailbox } from './mailbox/sandbox-mailbox.js';
export type { SimulatedMessenger } from './messenger/simulated-messenger.js';
export type { SimulatedBank } from './payments/simulated-bank.js';
export type { ReceiverMode } from './receiver/built-in-receiver.js';
export type { ReceivedDelivery, ReceiverState, WebhookReceiver } from './receiver/webhook-receiver.js';
export type { SandboxGuide, SandboxShops } from './scenario/sandbox-guide.js';
export { sandboxApiKeyOf, sandboxScenario } from './scenario/sandbox-scenario.js';
export type { ScenarioName } from './scenario/scenario-names.js';
export type { ScenarioEntry, Scenarios } from './scenario/scenarios.js';
export { seedSandbox } from './scenario/seed-sandbox.js';
export type { EventHub, SandboxClock, SandboxEvent } from './services/services.js';
export {
  type CreateSandboxOptions,
  createSandbox,
  type RunningSandbox,
  type SandboxOptions,
  startSandbox,
} from './start-sandbox.js';
