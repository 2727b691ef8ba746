import type { ServiceNamesOption } from '@latchkey/contract/constants';
import { parseServiceBrand, type ServiceBrand } from '../features/brand/brand.js';
import type { PaymentLimits } from '../features/checkout/payment-budgets.js';
import type { PaymentProvider } from '../features/checkout/payment-provider.js';
import { senderField } from '../features/fields/fields.js';
import { plainName } from '../features/mail/mail-frame.js';
import type { MessengerBot } from '../features/messenger/messenger-bot.js';
import type { ApiReferenceOptions } from '../features/reference/api-reference-options.js';
import type { SignInLimits } from '../features/sign-in/sign-in-budgets.js';
import type { SignInChoices } from '../features/sign-in/sign-in-choices.js';
import type { DeliveryInterceptor, StoredAttempt } from '../features/webhooks/sending/delivery-sender.js';
import type { Clock } from '../platform/clock.js';
import type { Peers } from '../platform/http/peers.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Mailer } from '../platform/mail/mailer.js';
import { createSmtpMailer } from '../platform/mail/smtp-mailer.js';
import type { MetricsAddress } from '../platform/metrics/metrics.js';
import type { SiteOptions } from '../web/kit/frame/send-page.js';
import type { AdditionalRoutes, RequestInterceptor } from './services.js';

const DEFAULT_BASE_URL = 'http://127.0.0.1';

/** Options of `startServer`. */
export interface ServerOptions {
  /**
   * Origin of the service as browsers see it, without a path. Must be https, or http on a loopback address.
   *
   * @default `http://{hostname}:{port}`
   */
  baseUrl?: string;
  /**
   * Port to listen on; 0 selects any free port.
   *
   * @default 4400
   */
  port?: number;
  /**
   * Address to listen on. `0.0.0.0` and `::` listen on all interfaces.
   *
   * @default '127.0.0.1'
   */
  hostname?: string;
  /**
   * File descriptor of a TCP socket that already listens, for example from systemd's socket activation. Replaces `port`
   * and `hostname`. Its owner keeps it open while the server restarts, so connections wait instead of being refused.
   *
   * @default none
   */
  listeningSocket?: number;
  /**
   * Required. `sqlite:` and the path of a file, `postgres://user:password@host:port/name`, or `sqlite::memory:`, which
   * loses its data when the process ends.
   */
  database?: string;
  /**
   * What the database is for. The first server on a database records it there, and a server with another purpose
   * refuses to start, so test data and production data never mix.
   *
   * @default 'service'
   */
  databasePurpose?: string;
  /**
   * The service's own names for which the spec has placeholders: the prefixes of API keys and of webhook headers, and
   * the name of the messenger in paths and in a field. The first server on a database records them there, and a server
   * with other names refuses to start.
   *
   * @default `svc_`, `X-Svc-` and `messenger`
   */
  serviceNames?: ServiceNamesOption;
  /**
   * Records the option `serviceNames` in a database that has other names. API keys with another prefix stop working.
   * For test services; to rename a production service, use `migrateDatabase`.
   *
   * @default false
   */
  replaceServiceNames?: boolean;
  /**
   * False leaves the database's schema as it is, for example because the service's role must not change tables. The
   * server then starts if the schema is from this release, or from a later one that only added to it.
   *
   * @default true: applies pending expand migrations
   */
  migrate?: boolean;
  /**
   * Waits for a database that can't be reached yet, until this signal aborts; `startServer` then rejects with the
   * signal's reason. Each failed attempt is logged as a warning. The server listens once the database is open. Errors
   * that waiting can't fix, such as a wrong password, reject at once.
   *
   * @default undefined: `startServer` rejects after the first failed attempt
   */
  waitForDatabase?: AbortSignal;
  /**
   * Source of the current time.
   *
   * @default the machine's clock
   */
  clock?: Clock;
  /** Sends email. Replaces `smtpUrl`. */
  mailer?: Mailer;
  /**
   * The messenger that hosts the communities' chats. Without one, requests for an invite link fail.
   *
   * @default none
   */
  messengerBot?: MessengerBot;
  /** SMTP server that sends email: `smtp://user:password@host:port`, or `smtps:`. */
  smtpUrl?: string;
  /**
   * Allows an SMTP server on another machine without TLS. Sign-in codes then cross the network in plain text.
   *
   * @default false
   */
  smtpPlaintext?: boolean;
  /**
   * Sender of email: an address, or `Name <address>`. The name defaults to the one in `brand`.
   *
   * @default `no-reply@` and the host of the base URL
   */
  mailFrom?: string;
  /**
   * Receives log entries. Secrets are already redacted.
   *
   * @default writes warnings and errors as lines of JSON to standard error
   */
  logger?: Logger;
  /**
   * URL of one request's log, with `{traceId}` in it. Must be https, or http on a loopback address. Failed requests
   * with a trace id return the URL as `logUrl`.
   *
   * @default none
   */
  logUrl?: string;
  /**
   * Charges buyers. Without a payment provider nothing can be sold: `buy-plan` responds with 503, and the server logs a
   * warning when it starts.
   *
   * @default none
   */
  payments?: PaymentProvider;
  /** The widget's built files. */
  widgetAssets?: WidgetAssetsOptions;
  /**
   * Appearance of all pages: a banner, and where the service's name links to.
   *
   * @default no banner; the name links to the account page
   */
  site?: SiteOptions;
  /**
   * Name, logo and accent colour of the service, on its pages and in its emails.
   *
   * @default the name "Latchkey", with its key and its green
   */
  brand?: ServiceBrand;
  /** Adds to the sign-in pages: people to choose from, and a link to the inbox. For test services only. */
  signInChoices?: SignInChoices;
  /** Additional routes. The server's own routes take precedence. `@latchkey/server/ui` exports the parts to build pages from. */
  routes?: AdditionalRoutes;
  /**
   * Handles each request before the server's own routes do: observes it, delays it or responds in their place. For test
   * services only.
   */
  intercept?: RequestInterceptor;
  /** Called after each attempt to deliver a webhook, once its result is stored. For test services only. */
  onDeliveryAttempt?: (attempt: StoredAttempt) => void;
  /** Sends each webhook delivery in place of the server: observes, repeats, delays or changes it. For test services only. */
  interceptDelivery?: DeliveryInterceptor;
  /**
   * Which addresses webhooks may have. `public-and-loopback` also allows loopback addresses over http, for development:
   * whoever owns a webhook then sees the responses of programs on this machine.
   *
   * @default 'public'
   */
  webhookTargets?: 'public' | 'public-and-loopback';
  /** Options of the API reference. For test services only. */
  apiReference?: ApiReferenceOptions;
  /**
   * Whether this process runs the background work: renewals, events about expired memberships, deletion of expired
   * rows, webhooks, queued emails. At least one process on each database must run it.
   *
   * @default true
   */
  backgroundWork?: boolean;
  /**
   * Serves metrics for Prometheus at `/metrics` on a separate port.
   *
   * @default none
   */
  metrics?: MetricsAddress;
  /** Delays during shutdown. */
  shutdown?: ShutdownOptions;
  /**
   * The proxies in front of the server: how many, or a list of their addresses and ranges (Express's `trust proxy`).
   * Limits and the log then use the client's address instead of the proxy's. `true` is rejected: every client could
   * choose its own address.
   *
   * @default false
   */
  trustProxy?: false | number | string;
  /**
   * Which callers the server responds to. `this-machine` rejects requests from other machines, including those that a
   * proxy on this machine forwards, whatever address the socket has. Only `/healthz` and `/readyz` respond to all.
   *
   * @default 'any' if `baseUrl` is https; 'this-machine' if it's http: everything would cross the network in plain text
   */
  peers?: Peers;
  /**
   * Limits of sign-in codes. Values that you leave out keep their defaults.
   *
   * @default the values in {@link SignInLimits}
   */
  signInLimits?: Partial<SignInLimits>;
  /**
   * Limits of failed payments. Values that you leave out keep their defaults.
   *
   * @default the values in {@link PaymentLimits}
   */
  paymentLimits?: Partial<PaymentLimits>;
}

/** Where the widget's built files are, and how they're cached. */
export interface WidgetAssetsOptions {
  /**
   * Folder of the files.
   *
   * @default the folder of the installed `@latchkey/widget`
   */
  directory?: string;
  /**
   * Whether browsers cache the scripts, for ten minutes. Set it to false while developing the widget: browsers then
   * revalidate the scripts on each use.
   *
   * @default true
   */
  cache?: boolean;
}

/** Delays during shutdown, in milliseconds. */
export interface ShutdownOptions {
  /**
   * How long `/readyz` returns 503 while requests are still answered, to let load balancers choose another process.
   *
   * @default 0
   */
  drainDelayMs?: number;
  /**
   * How long running requests have to finish before they're aborted.
   *
   * @default 5000
   */
  graceMs?: number;
}

export function checkTrustProxy(trustProxy: unknown = false): false | number | string {
  if (trustProxy === false || typeof trustProxy === 'number' || typeof trustProxy === 'string') {
    return trustProxy;
  }
  throw new Error(
    `Option "trustProxy" is ${String(trustProxy)}, so every client could choose its own address. Use the number of proxies (1) or their addresses (10.0.0.0/8).`,
  );
}

/** A provider written in JavaScript can lack anything, and buyers would be the first to notice. */
export function checkPayments(payments: PaymentProvider | undefined): PaymentProvider | undefined {
  if (payments === undefined) return undefined;
  const fail = (what: string) => {
    throw new Error(`Option "payments" ${what} See the type PaymentProvider.`);
  };
  const { name, mode, renewals } = payments;
  if (typeof name !== 'string' || !/^[a-z0-9-]{1,32}$/.test(name))
    fail(`has the name ${JSON.stringify(name)}. Use 1–32 of a-z, 0-9 and "-".`);
  if (mode !== 'live' && mode !== 'test') fail('has no "mode". Use "live", or "test" if no money moves.');
  if (renewals !== 'server' && renewals !== 'provider')
    fail('has no "renewals". Use "server" or "provider".');
  const required = [
    ...(['methods', 'start', 'find', 'refund', 'readEvents'] as const),
    renewals === 'server' ? ('renew' as const) : ('cancelRenewals' as const),
  ];
  for (const method of required)
    if (typeof payments[method] !== 'function') fail(`has no method "${method}".`);
  return payments;
}

export function openMailer({
  mailer,
  smtpUrl,
  smtpPlaintext,
  mailFrom,
  brand,
  baseUrl = DEFAULT_BASE_URL,
}: ServerOptions): Mailer {
  if (mailer !== undefined) return mailer;
  if (smtpUrl !== undefined) {
    if (mailFrom !== undefined && !senderField.safeParse(mailFrom).success) {
      throw new Error(
        'Option "mailFrom" must be an address, or a name and an address such as Service <codes@service.example>.',
      );
    }
    const from = mailFrom ?? `no-reply@${new URL(baseUrl).hostname}`;
    const defaultName = plainName(parseServiceBrand(brand).name);
    return createSmtpMailer({ smtpUrl, from, defaultName, allowPlaintext: smtpPlaintext });
  }
  throw new Error('Option "smtpUrl" is missing: users sign in with e-mailed codes. Set smtpUrl or mailer.');
}

/** A default in memory would lose its data at the next start. */
export function checkDatabase({ database }: ServerOptions): string {
  if (database !== undefined) return database;
  throw new Error(
    'Option "database" is missing: set sqlite:/path/to/file.sqlite or postgres://user:password@host/name.',
  );
}
