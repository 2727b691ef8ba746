import type { MetricsAddress } from '../platform/metrics/metrics.js';
import type { ServerOptions, ShutdownOptions, WidgetAssetsOptions } from './options.js';

/** The option names of `startServer`. The type makes sure that none is missing. */
const OPTIONS: Record<keyof ServerOptions, true> = {
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
  widgetAssets: true,
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
  metrics: true,
  shutdown: true,
  trustProxy: true,
  peers: true,
  signInLimits: true,
  paymentLimits: true,
};

const SHUTDOWN: Record<keyof ShutdownOptions, true> = { drainDelayMs: true, graceMs: true };
const METRICS: Record<keyof MetricsAddress, true> = { port: true, hostname: true };
const WIDGET_ASSETS: Record<keyof WidgetAssetsOptions, true> = { directory: true, cache: true };

/**
 * Rejects options that don't exist. Otherwise a misspelt option would be ignored and its default would apply, such as
 * no trusted proxy.
 *
 * @param receiver the function that received the options: `startServer`
 * @throws Error that contains the first unknown option.
 */
export function rejectUnknownOptions(options: object, receiver: string): void {
  const { shutdown, metrics, widgetAssets } = options as ServerOptions;
  const unknown = [
    ...unknownNames(options, OPTIONS),
    ...unknownNames(shutdown, SHUTDOWN).map((name) => `shutdown.${name}`),
    ...unknownNames(metrics, METRICS).map((name) => `metrics.${name}`),
    ...unknownNames(widgetAssets, WIDGET_ASSETS).map((name) => `widgetAssets.${name}`),
  ];
  if (unknown.length === 0) return;
  throw new Error(`Option "${unknown[0]}" is not an option of ${receiver}. Check the spelling.`);
}

function unknownNames(options: object | undefined, known: Readonly<Record<string, true>>): string[] {
  return Object.keys(options ?? {}).filter((name) => !Object.hasOwn(known, name));
}
