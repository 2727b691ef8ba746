/** The membership service as a server you can run, and its sandbox. */
export {
  type Clock,
  createManualClock,
  createSandboxClock,
  type ManualClock,
  type SandboxClock,
  systemClock,
} from './clock.js';
export type { ServerOptions, ShutdownOptions } from './config.js';
export { migrateDatabase, readSchemaStatus } from './database/maintain-database.js';
export type { SchemaStatus } from './database/migrate.js';
export { type JsonLoggerOptions, type LogLevel, openJsonLogger } from './logging/json-logger.js';
export type { LogFields, Logger } from './logging/logger.js';
export type { Mailer, MailMessage } from './mail/mailer.js';
export type {
  InviteLinkOrder,
  JoinAnswer,
  JoinRequest,
  JoinRequestHandler,
  MessengerBot,
} from './messenger/messenger-bot.js';
export type { SimulatedMessenger } from './messenger/simulated-messenger.js';
export type { ClientSettings } from './operator/client-registration.js';
export { type OpenedOperator, type OpenOperatorOptions, openOperator } from './operator/open-operator.js';
export type {
  CreateCommunity,
  CreateProduct,
  CreateUser,
  GrantMembership,
  Operator,
  RegisterClient,
  RegisteredClient,
  UpdateClient,
} from './operator/operator.js';
export { OperatorError, type OperatorErrorCode } from './operator/operator-error.js';
export type {
  CreateApiKey,
  CreateDropSlot,
  CreatePricingPlan,
  ServiceOperator,
} from './operator/service-operator.js';
export type { Sandbox, SandboxGuide } from './sandbox/sandbox.js';
export type { ReceivedMail, SandboxMailbox } from './sandbox/sandbox-mailbox.js';
export { type SandboxShops, sandboxScenario, seedSandbox } from './sandbox/seed-scenario.js';
export { type RunningServer, startServer } from './start-server.js';
export type { RegisterWebhook, SaveWebhook } from './webhooks/webhook-registration.js';
