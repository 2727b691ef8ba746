import * as z from 'zod';
import {
  duration,
  isLoopbackHost,
  portNumber,
  serviceNames,
  serviceOrigin,
  settingsRule,
  trustedProxies,
  visibleText,
} from '../command-line/values.js';

const ADDRESS = 'Address';
const DEFAULT_NAMES = 'svc_, X-Svc-, messenger';
const LOG = 'Logs and metrics';
const PROCESS = 'Process';

/** Log level. The default depends on the command. */
export const logLevel = z.enum(['info', 'warn', 'error', 'silent']).meta({
  group: LOG,
  placeholder: 'level',
  variable: 'LATCHKEY_LOG_LEVEL',
  description:
    'Lowest level of the JSON log lines on standard output: info, warn, error or silent. info logs every request. Logs contain no secrets.',
});

/** Settings that every command with a running service has. */
export const serviceSettings = z.object({
  port: portNumber.default(4400).meta({
    group: ADDRESS,
    placeholder: 'port',
    variable: 'LATCHKEY_PORT',
    description: 'Port to listen on; 0 selects any free port.',
  }),
  hostname: visibleText.default('127.0.0.1').meta({
    group: ADDRESS,
    placeholder: 'host',
    variable: 'LATCHKEY_HOSTNAME',
    description: 'Address to listen on. 0.0.0.0 and :: listen on all interfaces.',
  }),
  baseUrl: serviceOrigin.exactOptional().meta({
    group: ADDRESS,
    defaultText: 'http://<hostname>:<port>',
    description: 'Origin of the service as browsers see it: https, or http on a loopback address.',
  }),
  serviceNames: serviceNames.exactOptional().meta({ group: ADDRESS, defaultText: DEFAULT_NAMES }),
  trustProxy: trustedProxies.exactOptional().meta({
    group: ADDRESS,
    placeholder: 'proxies',
    variable: 'LATCHKEY_TRUST_PROXY',
    defaultText: 'none',
    description: 'Trusted reverse proxies: their number, or their addresses separated by commas.',
  }),
  logLevel: logLevel.default('info'),
  logUrl: z
    .string()
    .regex(
      /^https?:\/\/.*\{traceId\}/,
      'must be a URL with {traceId}, such as https://logs.example/traces/{traceId}',
    )
    .exactOptional()
    .meta({
      group: LOG,
      placeholder: 'url',
      variable: 'LATCHKEY_LOG_URL',
      defaultText: 'none',
      description:
        'URL of the log of one request. Failure responses contain it, with the trace id in place of {traceId}.',
    }),
  metricsPort: portNumber.exactOptional().meta({
    group: LOG,
    placeholder: 'port',
    variable: 'LATCHKEY_METRICS_PORT',
    defaultText: 'none',
    description: 'Separate port that serves metrics for Prometheus at /metrics; 0 selects any free port.',
  }),
  metricsHostname: visibleText.default('127.0.0.1').meta({
    group: LOG,
    placeholder: 'host',
    variable: 'LATCHKEY_METRICS_HOSTNAME',
    description:
      'Address that serves metrics. They need no password, so keep it inside your private network.',
  }),
  backgroundWork: z.boolean().default(true).meta({
    group: PROCESS,
    variable: 'LATCHKEY_BACKGROUND_WORK',
    description:
      'Run background work in this process: webhooks, renewals, expiry. At least one process on the database must run it.',
  }),
  migrate: z.boolean().default(true).meta({
    group: PROCESS,
    variable: 'LATCHKEY_MIGRATE',
    description: 'Run pending expand migrations at the start. Without it, the schema must have them already.',
  }),
  drainDelay: duration.prefault('0s').meta({
    group: PROCESS,
    placeholder: 'duration',
    variable: 'LATCHKEY_DRAIN_DELAY',
    description:
      'Time between a stop signal and the end of listening. /readyz returns 503 meanwhile. Choose more than your load balancer’s check interval.',
  }),
  shutdownGrace: duration.prefault('10s').meta({
    group: PROCESS,
    placeholder: 'duration',
    variable: 'LATCHKEY_SHUTDOWN_GRACE',
    description: 'Time that running requests get to complete after that.',
  }),
});

export type ServiceSettings = z.output<typeof serviceSettings>;

/** Returns the settings of a command that every command with a running service has. */
export function serviceSettingsOf(settings: ServiceSettings): ServiceSettings {
  const own = Object.entries(settings).filter(([name]) => name in serviceSettings.shape);
  return Object.fromEntries(own) as ServiceSettings;
}

/** Requires a base URL for a service that other machines can reach. */
export const baseUrlRule = settingsRule<{ hostname: string; baseUrl?: string }>({
  reads: ['hostname', 'baseUrl'],
  isMet: ({ hostname, baseUrl }) =>
    baseUrl !== undefined || hostname === undefined || isLoopbackHost(hostname),
  error:
    '--base-url (or LATCHKEY_BASE_URL) is required when --hostname is not a loopback address: Origin of the service as browsers see it.',
});
