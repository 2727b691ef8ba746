import { optional, required, type Settings, toggle } from '../command-line/flag.js';
import type { SettingsRule } from '../command-line/read-settings.js';
import { duration, oneOf, origin, portNumber, text, textLike } from '../command-line/readers.js';
import {
  databaseText,
  databaseUrl,
  isLoopbackHost,
  missingFolder,
  serviceOrigin,
  smtpUrl,
  trustedProxies,
} from '../command-line/service-readers.js';

const ADDRESS = 'Where it is reached';
const DATA = 'Data and mail';
const LOG = 'What it tells';
const PROCESS = 'This process';
const SANDBOX = 'Sandbox';

/** The flags of `latchkey serve`. */
export const SERVE_FLAGS = {
  port: required(portNumber, {
    heading: ADDRESS,
    placeholder: '<port>',
    summary: 'Port to listen on; 0 takes any free one.',
    variable: 'LATCHKEY_PORT',
    fallback: '4400',
  }),
  hostname: required(text('give a host name or an IP address'), {
    heading: ADDRESS,
    placeholder: '<host>',
    summary:
      'Address to listen on. 0.0.0.0 and :: are every one of the machine; the default is this machine only.',
    variable: 'LATCHKEY_HOSTNAME',
    fallback: '127.0.0.1',
  }),
  baseUrl: optional(serviceOrigin, {
    heading: ADDRESS,
    placeholder: '<origin>',
    summary: 'The origin as browsers see it: https, or http on a loopback address.',
    variable: 'LATCHKEY_BASE_URL',
    fallbackText: 'http://<hostname>:<port>',
  }),
  trustProxy: optional(trustedProxies, {
    heading: ADDRESS,
    placeholder: '<proxies>',
    summary:
      'Proxies that may say where a request came from: how many stand in front, or their addresses with commas in between.',
    variable: 'LATCHKEY_TRUST_PROXY',
    fallbackText: 'none',
  }),
  database: optional(databaseUrl, {
    ...databaseText,
    heading: DATA,
    fallbackText: 'in the sandbox: in memory',
  }),
  smtpUrl: optional(smtpUrl, {
    heading: DATA,
    placeholder: '<url>',
    summary: 'How sign-in codes go out: smtp://user:password@host:587 or smtps://… Better in the variable.',
    variable: 'LATCHKEY_SMTP_URL',
    isSecret: true,
  }),
  mailFrom: optional(text('give an address, or a name and an address: Service <codes@service.example>'), {
    heading: DATA,
    placeholder: '<address>',
    summary: 'Sender of the mail.',
    variable: 'LATCHKEY_MAIL_FROM',
    fallbackText: 'no-reply@ and the host of the base URL',
  }),
  payments: optional(oneOf(['simulated']), {
    heading: DATA,
    placeholder: '<kind>',
    summary:
      'Who takes payments. simulated takes none: buyers choose whether a payment succeeds, and get what they chose.',
    variable: 'LATCHKEY_PAYMENTS',
    fallbackText: 'nobody, so that nothing can be bought; in the sandbox simulated',
  }),
  logLevel: optional(oneOf(['info', 'warn', 'error', 'silent']), {
    heading: LOG,
    placeholder: '<level>',
    summary:
      'From which level on lines of JSON go to standard output: info has one for each request. No secret is in them.',
    variable: 'LATCHKEY_LOG_LEVEL',
    fallbackText: 'info, in the sandbox warn',
  }),
  logUrl: optional(
    textLike(/^https?:\/\/.*\{traceId\}/, 'give an address such as https://logs.example/traces/{traceId}'),
    {
      heading: LOG,
      placeholder: '<url>',
      summary:
        'Where developers read the log of one request: failures tell it, with the trace id in place of {traceId}.',
      variable: 'LATCHKEY_LOG_URL',
      fallbackText: 'none',
    },
  ),
  metricsPort: optional(portNumber, {
    heading: LOG,
    placeholder: '<port>',
    summary:
      'Port that tells metrics for Prometheus at /metrics, apart from the service; 0 takes any free one.',
    variable: 'LATCHKEY_METRICS_PORT',
    fallbackText: 'none',
  }),
  metricsHostname: required(text('give a host name or an IP address'), {
    heading: LOG,
    placeholder: '<host>',
    summary: 'Address that metrics are told at. Whoever reaches it reads them: keep it inside.',
    variable: 'LATCHKEY_METRICS_HOSTNAME',
    fallback: '127.0.0.1',
  }),
  backgroundWork: toggle({
    heading: PROCESS,
    placeholder: '=<true|false>',
    summary:
      'Whether this process does what no request waits for: webhooks, renewals, lapses. false leaves that to other processes on the database, of which one at least has to.',
    variable: 'LATCHKEY_BACKGROUND_WORK',
    fallback: 'true',
  }),
  drainDelay: required(duration, {
    heading: PROCESS,
    placeholder: '<time>',
    summary:
      'How long, once told to end, /readyz says 503 while everything is still answered: longer than load balancers need to notice.',
    variable: 'LATCHKEY_DRAIN_DELAY',
    fallback: '0s',
  }),
  shutdownGrace: required(duration, {
    heading: PROCESS,
    placeholder: '<time>',
    summary: 'How long running requests may take after that, before they are cut off.',
    variable: 'LATCHKEY_SHUTDOWN_GRACE',
    fallback: '10s',
  }),
  sandbox: toggle({
    heading: SANDBOX,
    summary:
      'A service to try things on, filled with people, memberships and clients: mail stays in a mailbox page, the clock can be moved, anybody signs in as anybody.',
    variable: 'LATCHKEY_SANDBOX',
  }),
  site: optional(origin, {
    heading: SANDBOX,
    placeholder: '<origin>',
    summary: 'The site you are building, which the sandbox’s two clients may then sign people in for.',
    variable: 'LATCHKEY_SITE',
    fallbackText: 'http://localhost:3000',
  }),
} as const;

/** What the flags of `latchkey serve` come to. */
export type ServeSettings = Settings<typeof SERVE_FLAGS>;

/** What the settings must fulfil together. */
export const SERVE_RULES: readonly SettingsRule<typeof SERVE_FLAGS>[] = [
  {
    about: ['sandbox', 'database'],
    holds: ({ sandbox, database }) => sandbox !== false || database !== undefined,
    problem: `--database (or the variable LATCHKEY_DATABASE) is missing: ${databaseUrl.fix}. To try things out, use --sandbox instead.`,
  },
  {
    about: ['sandbox', 'smtpUrl'],
    holds: ({ sandbox, smtpUrl: smtp }) => sandbox !== false || smtp !== undefined,
    problem: `--smtp-url (or the variable LATCHKEY_SMTP_URL) is missing, and people sign in with e-mailed codes: ${smtpUrl.fix}. To try things out, use --sandbox instead.`,
  },
  {
    about: ['sandbox', 'smtpUrl'],
    holds: ({ sandbox, smtpUrl: smtp }) => sandbox !== true || smtp === undefined,
    problem:
      'The sandbox keeps its mail in a mailbox page: leave out --smtp-url (and the variable LATCHKEY_SMTP_URL).',
  },
  {
    about: ['sandbox', 'site'],
    holds: ({ sandbox, site }) => sandbox !== false || site === undefined,
    problem:
      '--site (or the variable LATCHKEY_SITE) is for the sandbox: register the site’s client with "latchkey admin register-client".',
  },
  {
    about: ['hostname', 'baseUrl'],
    holds: ({ hostname, baseUrl }) =>
      baseUrl !== undefined || hostname === undefined || isLoopbackHost(hostname),
    problem:
      '--base-url (or the variable LATCHKEY_BASE_URL) is missing: beyond loopback addresses the service must know the origin that browsers see.',
  },
  {
    about: ['database'],
    holds: ({ database }) => missingFolder(database) === undefined,
    problem: ({ database }) =>
      `The database’s file would be in ${missingFolder(database)}, and there is no such folder: make it first.`,
  },
];
