import type { MetricsAddress } from '../platform/metrics/metrics.js';
import type { ServerOptions, ShutdownOptions, WidgetAssetsOptions } from './options.js';

interface Known {
  readonly [name: string]: true | Known;
}

/** The option names of `startServer`. The types make sure that none is missing. */
const OPTIONS: Known & Record<keyof ServerOptions, true | Known> = {
  baseUrl: true,
  port: true,
  hostname: true,
  listeningSocket: true,
  database: true,
  databasePurpose: true,
  serviceNames: true,
  replaceServiceNames: true,
  migrate: true,
  waitForDatabase: true,
  clock: true,
  mailer: true,
  messengerBot: true,
  smtpUrl: true,
  smtpPlaintext: true,
  mailFrom: true,
  logger: true,
  logUrl: true,
  payments: true,
  widgetAssets: { directory: true, cache: true } satisfies Record<keyof WidgetAssetsOptions, true>,
  site: true,
  brand: true,
  signInChoices: true,
  routes: true,
  intercept: true,
  onDeliveryAttempt: true,
  interceptDelivery: true,
  webhookTargets: true,
  apiReference: true,
  backgroundWork: true,
  metrics: { port: true, hostname: true } satisfies Record<keyof MetricsAddress, true>,
  shutdown: { drainDelayMs: true, graceMs: true } satisfies Record<keyof ShutdownOptions, true>,
  trustProxy: true,
  peers: true,
  signInLimits: true,
  paymentLimits: true,
};

/**
 * Rejects options that don't exist. Otherwise a misspelt option would be ignored and its default would apply, such as no
 * trusted proxy. @throws Error that contains the first unknown option, and its `receiver`: `startServer`.
 */
export function rejectUnknownOptions(options: object, receiver: string): void {
  const [unknown] = unknownNames(options, OPTIONS);
  if (unknown !== undefined)
    throw new Error(`Option "${unknown}" is not an option of ${receiver}. Check the spelling.`);
}

function unknownNames(options: object, known: Known): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const inner = Object.hasOwn(known, name) ? known[name] : undefined;
    if (inner === undefined) return [name];
    return inner === true ? [] : unknownNames(value ?? {}, inner).map((option) => `${name}.${option}`);
  });
}
