/** The membership service as a server. */

export type { ServerOptions, ShutdownOptions, WidgetAssetsOptions } from './app/options.js';
export {
  type MigrateOptions,
  migrateDatabase,
  readSchemaStatus,
} from './app/service-database.js';
export type { AdditionalRoutes, RequestInterceptor, RouteContext } from './app/services.js';
export { type RunningServer, startServer } from './app/start-server.js';
export type { ServiceBrand } from './features/brand/brand.js';
export type { PaymentLimits } from './features/checkout/payment-budgets.js';
export {
  type ChargeResult,
  type DeclinedPayment,
  type DeclineReason,
  type FoundPayment,
  InvalidProviderWebhookError,
  type Money,
  type PaidPayment,
  type PaymentKind,
  type PaymentMethod,
  type PaymentMode,
  type PaymentOrder,
  type PaymentProvider,
  type PaymentRefund,
  type PaymentStart,
  type ProviderEvent,
  type ProviderWebhook,
  type RefundResult,
  type ReversedMoney,
  type StartResult,
} from './features/checkout/payment-provider.js';
export type { ClientSettings } from './features/clients/client.resource.js';
export type {
  InviteLinkOrder,
  JoinRequest,
  JoinRequestHandler,
  JoinResult,
  MessengerBot,
} from './features/messenger/messenger-bot.js';
export type { RegisterClient, RegisteredClient } from './features/operator/named-calls.js';
export {
  type OpenedOperator,
  type OpenOperatorOptions,
  type Operator,
  openOperator,
} from './features/operator/operator.js';
export { OperatorError, type OperatorErrorCode } from './features/operator/operator-checks.js';
export type { ApiReferenceOptions } from './features/reference/api-reference-options.js';
export type { SignInLimits } from './features/sign-in/sign-in-budgets.js';
export type {
  CodeInbox,
  SignInChoices,
  SignInPeople,
  SignInPerson,
} from './features/sign-in/sign-in-choices.js';
export {
  type Clock,
  createManualClock,
  type ManualClock,
  systemClock,
} from './platform/clock.js';
export type { SchemaStatus } from './platform/database/schema/schema-status.js';
export type { AddedNote } from './platform/language/language.js';
export type { LogFields, Logger } from './platform/logging/logger.js';
export { type JsonLoggerOptions, type LogLevel, openJsonLogger } from './platform/logging/redaction.js';
export {
  type InlineImage,
  type Mailer,
  type MailMessage,
  MailRejectedError,
} from './platform/mail/mailer.js';
export type { SiteBanner, SiteOptions } from './web/kit/frame/send-page.js';
