import type { ServiceNamesOption } from '@latchkey/contract/constants';
import { parseServiceBrand, type ServiceBrand } from '../features/brand/brand.js';
import type { PaymentLimits } from '../features/checkout/payment-budgets.js';
import type { PaymentProvider } from '../features/checkout/payment-provider.js';
import { senderField } from '../features/fields/fields.js';
import { plainName } from '../features/mail/mail-frame.js';
import type { MessengerBot } from '../features/messenger/messenger-bot.js';
import type { ApiReferenceOptions } from '../features/reference/api-reference-options.js';
import type { SignInChoices } from '../features/sign-in/sign-in-choices.js';
import type { SignInLimits } from '../features/sign-in/sign-in-limits.js';
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
   * File descriptor of a TCP socket that listens already, such as that of systemd's socket activation. Replaces `port` and
   * `hostname`. Its owner keeps it open while the server restarts, so connections wait meanwhile instead of being refused.
   *
   * @default none
   */
  listeningSocket?: number;
  /**
   * Required. `sqlite:` and the path of a file, `postgres://user:password@host:port/name`, or `sqlite::memory:`, whose
   * data are lost when the process ends.
   */
  database?: string;
  /**
   * Purpose of the database. The first server on a database notes it there. Later servers with another purpose reject
   * the database, so that test data and production data are never mixed.
   *
   * @default 'service'
   */
  databasePurpose?: string;
  /**
   * Names that the spec replaces by stand-ins: the prefixes of API keys and of webhook headers, and the name of the
   * messenger in paths and in a field. The first server on a database records them there; later ones reject other names.
   *
   * @default `svc_`, `X-Svc-` and `messenger`
   */
  serviceNames?: ServiceNamesOption;
  /**
   * True to record the option `serviceNames` in a database that has other names. API keys of another prefix stop working.
   * For test services; `migrateDatabase` renames a production service.
   *
   * @default false
   */
  replaceServiceNames?: boolean;
  /**
   * False to leave the schema of the database as it is, for example because the role of the service must not change tables.
   * The server then starts if the schema is that of this release, or of a next one that only added to it.
   *
   * @default true: applies pending expand migrations
   */
  migrate?: boolean;
  /**
   * Waits for a database that cannot be reached yet, until this signal aborts; `startServer` then rejects with the
   * signal's reason. Each failed attempt is logged as a warning. The server listens once the database is open. Errors
   * that waiting cannot mend, such as a wrong password, reject at once.
   *
   * @default undefined: `startServer` rejects at the first failed attempt.
   */
  waitForDatabase?: AbortSignal;
  /**
   * Source of the current time.
   *
   * @default the machine's clock
   */
  clock?: Clock;
  /** Sends mail. Replaces `smtpUrl`. */
  mailer?: Mailer;
  /**
   * Messenger that hosts the communities' chats. Without one, requests for an invite link fail.
   *
   * @default none
   */
  messengerBot?: MessengerBot;
  /** SMTP server that sends mail: `smtp://user:password@host:port`, or `smtps:`. */
  smtpUrl?: string;
  /**
   * Allows mail to a server on another machine without TLS. Sign-in codes then cross the network in plain text.
   *
   * @default false
   */
  smtpPlaintext?: boolean;
  /**
   * Sender of mail: an address, or `Name <address>`. Without a name, it has that of the option `brand`.
   *
   * @default `no-reply@` and the host of the base URL
   */
  mailFrom?: string;
  /**
   * Receives log entries. Secrets are redacted before.
   *
   * @default warnings and errors as lines of JSON on standard error
   */
  logger?: Logger;
  /**
   * URL template of the log of one request; contains `{traceId}`. Must be https, or http on a loopback address. Failed
   * requests with a trace id return the URL as `logUrl`.
   *
   * @default none
   */
  logUrl?: string;
  /**
   * Charges buyers. Without a payment provider nothing can be sold: `buy-plan` answers 503, and the server logs a
   * warning when it starts.
   *
   * @default none
   */
  payments?: PaymentProvider;
  /** The widget's built files. */
  widgetAssets?: WidgetAssetsOptions;
  /**
   * Appearance that all pages share: a banner, and the address behind the service's name.
   *
   * @default no banner; the home is the account page
   */
  site?: SiteOptions;
  /**
   * Name, logo and accent colour of the service, on its pages and in its mails.
   *
   * @default the name "Latchkey", with its key and its green
   */
  brand?: ServiceBrand;
  /** Additions to the sign-in pages: people to choose from, and a link to the inbox. For test services only. */
  signInChoices?: SignInChoices;
  /** Additional routes. The server's own routes take precedence. `@latchkey/server/ui` exports the parts of a page. */
  routes?: AdditionalRoutes;
  /**
   * Handles each request before the server's own routes do: observes it, delays it or answers in their place. For test
   * services only.
   */
  intercept?: RequestInterceptor;
  /** Called after each attempt to deliver a webhook, once its result is stored. For test services only. */
  onDeliveryAttempt?: (attempt: StoredAttempt) => void;
  /** Sends each webhook delivery in place of the server: observes, repeats, delays or changes it. For test services only. */
  interceptDelivery?: DeliveryInterceptor;
  /**
   * Addresses that webhooks may have. `public-and-loopback` also allows loopback addresses over http, for development:
   * owners of webhooks then see the responses of programs on this machine.
   *
   * @default 'public'
   */
  webhookTargets?: 'public' | 'public-and-loopback';
  /** Options of the API reference. For test services only. */
  apiReference?: ApiReferenceOptions;
  /**
   * True if this process runs the background work: renewals, events about expired memberships, deletion of expired rows,
   * webhooks, queued mails. At least one process on each database must run it.
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
  /** Delays of the shutdown. */
  shutdown?: ShutdownOptions;
  /**
   * Proxies in front of the server, so that limits and the log count the client's address and not the proxy's. The number
   * of proxies, or a list of their addresses and ranges (Express's `trust proxy`). `true` is rejected, because every client
   * could then choose its own address.
   *
   * @default false
   */
  trustProxy?: false | number | string;
  /**
   * Callers that the server answers. `this-machine` rejects requests whose connection comes from another machine, and requests that a
   * proxy on this machine forwards for one, whatever address the socket has. Only `/healthz` and `/readyz` answer to all.
   *
   * @default 'any' with an https `baseUrl`. 'this-machine' with an http one, because everything would cross the network in plain text.
   */
  peers?: Peers;
  /**
   * Limits of sign-in codes. Values that are not set keep their defaults.
   *
   * @default the values in {@link SignInLimits}
   */
  signInLimits?: Partial<SignInLimits>;
  /**
   * Limits of payments that fail. Values that are not set keep their defaults.
   *
   * @default the values in {@link PaymentLimits}
   */
  paymentLimits?: Partial<PaymentLimits>;
}

/** Location and caching of the widget's built files. */
export interface WidgetAssetsOptions {
  /**
   * Folder of the files.
   *
   * @default the folder of the installed `@latchkey/widget`
   */
  directory?: string;
  /**
   * False if browsers revalidate the scripts on each use, for development of the widget. Otherwise browsers cache them for
   * ten minutes.
   *
   * @default true
   */
  cache?: boolean;
}

/** Delays of the shutdown, in milliseconds. */
export interface ShutdownOptions {
  /**
   * Time during which `/readyz` returns 503 while requests are still answered, so that load balancers choose another
   * process.
   *
   * @default 0
   */
  drainDelayMs?: number;
  /**
   * Time that running requests have to finish before they are aborted.
   *
   * @default 5000
   */
  graceMs?: number;
}

/**
 * Checks the option `trustProxy`.
 *
 * @throws Error if it trusts every proxy.
 */
export function checkTrustProxy(trustProxy: unknown = false): false | number | string {
  if (trustProxy === false || typeof trustProxy === 'number' || typeof trustProxy === 'string') {
    return trustProxy;
  }
  throw new Error(
    `Option "trustProxy" is ${String(trustProxy)}, so every client could choose its own address. Use the number of proxies (1) or their addresses (10.0.0.0/8).`,
  );
}

/**
 * Checks the option `payments`. A provider in JavaScript can lack anything, and buyers would see it first.
 *
 * @throws Error naming what is missing or wrong.
 */
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

/**
 * Creates the mailer of the options.
 *
 * @throws Error if neither `mailer` nor `smtpUrl` is set, or `mailFrom` is no sender.
 */
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

/**
 * Returns the URL of the database.
 *
 * @throws Error if it is missing: a default in memory would lose its data at the next start.
 */
export function checkDatabase({ database }: ServerOptions): string {
  if (database !== undefined) return database;
  throw new Error(
    'Option "database" is missing: set sqlite:/path/to/file.sqlite or postgres://user:password@host/name.',
  );
}
