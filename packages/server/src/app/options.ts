import type { PaymentProvider } from '../domain/checkout/payment-provider.js';
import type { MessengerBot } from '../domain/messenger/messenger-bot.js';
import type { Clock } from '../platform/clock.js';
import { isLoopback } from '../platform/http/web-origin.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Mailer } from '../platform/mail/mailer.js';
import { createSmtpMailer } from '../platform/mail/smtp-mailer.js';
import type { MetricsAddress } from '../platform/metrics/metrics-listener.js';
import { simulatedPayments } from '../sandbox/simulated-payments.js';

const DEFAULT_BASE_URL = 'http://127.0.0.1';

/** Options of `startServer`. */
export interface ServerOptions {
  /**
   * The service's own origin as browsers see it: https, or http on a loopback address; no path.
   * Default `http://{hostname}:{port}`.
   */
  baseUrl?: string;
  /** Port to listen on; 0 takes any free one. Default 4400. */
  port?: number;
  /** Address to listen on. Default `127.0.0.1`: this machine only. */
  hostname?: string;
  /**
   * `sqlite::memory:` (the default in sandbox mode), `sqlite:` and the path of a file, or
   * `postgres://user:password@host:port/name`.
   */
  database?: string;
  /**
   * Waits for a database that cannot be reached yet, until this signal aborts; `startServer` then rejects with the
   * signal's reason. Each failed attempt is logged as a warning. The server listens once the database is open. Errors
   * that waiting cannot mend, such as a wrong password, reject at once.
   *
   * @default undefined: `startServer` rejects at the first failed attempt.
   */
  waitForDatabase?: AbortSignal;
  /** Where the service takes the time from. Default: the machine's clock. */
  clock?: Clock;
  /** Sends mail. Instead of `smtpUrl`; neither goes with sandbox mode, where mail stays in its mailbox. */
  mailer?: Mailer;
  /**
   * The messenger in which communities have their chats. Default none: then no invite link can be made, whatever bot a
   * community names. Does not go with sandbox mode, which simulates one.
   */
  messengerBot?: MessengerBot;
  /** `smtp://user:password@host:port`, or `smtps:`. */
  smtpUrl?: string;
  /** Sender of the mail. Default `no-reply@` and the host of the base URL. */
  mailFrom?: string;
  /** Default: warnings and errors as lines of JSON on standard error. No secret reaches it: all lines are redacted first. */
  logger?: Logger;
  /**
   * Where developers read the log of one request: an https URL (http on a loopback address) in which `{traceId}` stands
   * for the trace id. Failures of requests that carry one then tell it as `logUrl`. Default: they tell none.
   */
  logUrl?: string;
  /**
   * Who takes the buyers' payments. `simulated` takes none: the buyer chooses whether the payment succeeds, and has what
   * was bought. Default in sandbox mode `simulated`, else nobody: then nothing can be bought.
   */
  payments?: 'simulated';
  /**
   * Adds the mailbox, pick-a-user and a clock that can be moved. No mail leaves the process, and webhooks may go to
   * loopback addresses too. Default false.
   */
  sandbox?: boolean;
  /** Folder with the widget's built files. Default: that of the installed `@latchkey/widget`. */
  widgetAssets?: { directory: string };
  /**
   * Whether this process does what no request waits for: renewals, lapses, deleting what has expired, webhooks. At
   * least one of the processes on a database has to. Default true.
   */
  backgroundWork?: boolean;
  /**
   * Tells metrics for Prometheus at `/metrics` of a port of its own. `hostname` defaults to `127.0.0.1`. Default: nowhere.
   */
  metrics?: MetricsAddress;
  /** How the server closes. */
  shutdown?: ShutdownOptions;
  /** Express's `trust proxy`: which proxies may say where a request came from. Default none. */
  trustProxy?: boolean | number | string;
}

/** Chooses who takes payments: outside of the sandbox nobody gets what they did not pay for unless it is asked for. */
export function choosePayments({ payments, sandbox = false }: ServerOptions): PaymentProvider | undefined {
  return payments === 'simulated' || sandbox ? simulatedPayments : undefined;
}

/** How the server closes, in milliseconds. */
export interface ShutdownOptions {
  /**
   * How long `/readyz` says 503 while everything is still answered, so that load balancers look elsewhere. Default 0.
   */
  drainDelayMs?: number;
  /** How long running requests may take then, before they are cut off. Default 5000. */
  graceMs?: number;
}

/**
 * Makes what mail goes out through: the sandbox's mailbox, or the given mailer, or the SMTP server.
 * @throws Error in sandbox mode when one of the others is given, and outside of it when neither is.
 */
export function openMailer(options: ServerOptions, mailbox: Mailer | undefined): Mailer {
  const { mailer, smtpUrl, baseUrl = DEFAULT_BASE_URL } = options;
  if (mailbox !== undefined) {
    if (mailer === undefined && smtpUrl === undefined) return mailbox;
    const option = mailer === undefined ? 'smtpUrl' : 'mailer';
    throw new Error(
      `Option "${option}" goes against sandbox: true, where no mail leaves the process. Leave one of the two out.`,
    );
  }
  if (mailer !== undefined) return mailer;
  if (smtpUrl !== undefined) {
    return createSmtpMailer({ smtpUrl, from: options.mailFrom ?? `no-reply@${new URL(baseUrl).hostname}` });
  }
  throw new Error(
    'Option "smtpUrl" is missing: people sign in with e-mailed codes. Give smtpUrl or mailer, or start with sandbox: true.',
  );
}

/**
 * Chooses the messenger: the sandbox's simulated one, or the given one, or none.
 * @throws Error in sandbox mode when one is given.
 */
export function chooseMessengerBot(
  { messengerBot }: ServerOptions,
  simulated: MessengerBot | undefined,
): MessengerBot | undefined {
  if (simulated === undefined) return messengerBot;
  if (messengerBot === undefined) return simulated;
  throw new Error(
    'Option "messengerBot" goes against sandbox: true, which simulates a messenger. Leave one of the two out.',
  );
}

/**
 * Chooses the database.
 * @throws Error outside of sandbox mode when none is given: what is kept in memory is lost at the next start.
 */
export function chooseDatabase({ sandbox = false, database }: ServerOptions): string {
  if (database !== undefined) return database;
  if (sandbox) return 'sqlite::memory:';
  throw new Error(
    'Option "database" is missing: give sqlite:/path/to/file.sqlite or postgres://user:password@host/name, or start with sandbox: true.',
  );
}

/**
 * Checks a base URL and gives it as an origin.
 * @throws Error when it has a path, or is plain http beyond this machine.
 */
export function checkBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new Error(`Option "baseUrl" is "${baseUrl}", which is not an http or https URL.`);
  }
  if (url.protocol === 'http:' && !isLoopback(url)) {
    throw new Error(`Option "baseUrl" is "${baseUrl}": beyond loopback addresses the service needs https.`);
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error(`Option "baseUrl" is "${baseUrl}": give an origin without path, query or user.`);
  }
  return url.origin;
}
