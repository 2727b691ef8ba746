import { fixturesSchema } from '@latchkey/conformance/fixtures';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { readJsonFile } from '../command-line/files.js';
import {
  parsedText,
  secret,
  serviceNames,
  serviceUrl,
  settingsRule,
  toggle,
  visibleText,
} from '../command-line/values.js';

const CHOICE = 'Choice of checks';
const REPORT = 'Report';

/** Requests per second of a run, low enough for a service with other users. */
const DEFAULT_RATE = 5;

const fixturesFile = z.string().transform((path, context) => {
  const read = readJsonFile(path);
  if (read.kind === 'unreadable') {
    context.addIssue({ code: 'custom', message: `cannot be read (${read.reason})` });
    return z.NEVER;
  }
  const result = fixturesSchema.safeParse(read.content);
  if (result.success) return result.data;
  // Values can be secrets, so the message contains only field names.
  for (const { path: field, message } of result.error.issues) {
    context.addIssue({ code: 'custom', message: `${field.join('.') || 'the file'}: ${message}` });
  }
  return z.NEVER;
});

const file = (description: string) =>
  visibleText.exactOptional().meta({ group: REPORT, placeholder: 'file', description });

const reportSettings = {
  junit: file('Write the report as JUnit XML.'),
  html: file('Write the report as one HTML file.'),
  json: toggle({ group: REPORT, description: 'Print the report as one line of JSON.' }),
  verbose: toggle({ group: REPORT, description: 'Also list the rules that are kept.' }),
};

/** Ids and areas of checks. Each flag can have several, separated by commas. */
const only = z
  .array(z.string().regex(/^[a-z][a-z0-9.,-]*$/, 'must be requirement ids or areas, separated by commas'))
  .default([])
  .meta({
    group: CHOICE,
    placeholder: 'ids',
    defaultText: 'all',
    description: 'Run only these rules or areas, such as token,provision.created.',
  });

export const conformanceSettings = z
  .object({
    baseUrl: serviceUrl.exactOptional().meta({
      placeholder: 'url',
      variable: 'LATCHKEY_SERVICE_URL',
      description: 'Base URL of the service under test.',
    }),
    fixtures: fixturesFile.exactOptional().meta({
      placeholder: 'file',
      description: 'JSON file with keys, communities, clients and a driver at the service.',
    }),
    destructive: toggle({ description: 'Also run the checks that write. Never use it on a live service.' }),
    rate: z
      .number()
      .min(0.1, 'must be at least 0.1')
      .max(1_000, 'must be at most 1000')
      .default(DEFAULT_RATE)
      .meta({ placeholder: 'number', description: 'Requests per second at most.' }),
    only,
    list: toggle({ group: CHOICE, description: 'List the checks, and send nothing.' }),
    seed: z.int().min(0).exactOptional().meta({
      group: CHOICE,
      placeholder: 'number',
      description: 'Seed of the generated requests, to repeat a run.',
    }),
    resume: file('Keep results in this file, and skip those that it contains.'),
    ...reportSettings,
    apiKey: secret('LATCHKEY_API_KEY', 'API key, if the fixtures contain no keys.full'),
  })
  .check(
    settingsRule({
      reads: ['baseUrl', 'list'],
      isMet: ({ baseUrl: url, list }) => url !== undefined || list === true,
      error: '--base-url (or LATCHKEY_SERVICE_URL) is required: Base URL of the service under test.',
    }),
  );

export type ConformanceSettings = z.output<typeof conformanceSettings>;

/** Address that the service listens on by default, so an app needs to be configured only once. */
const DEFAULT_LISTEN = '127.0.0.1:4490';

const listen = parsedText((text) => {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  return host !== undefined && Number(port) <= 65_535
    ? { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) }
    : undefined;
}, `must be an address such as ${DEFAULT_LISTEN}`);

export const callerSettings = z.object({
  profile: visibleText
    .exactOptional()
    .meta({ placeholder: 'file', description: 'JSON file that names the actions of your app.' }),
  run: visibleText
    .exactOptional()
    .meta({ placeholder: 'command', description: 'Command that exercises your app, once for each script.' }),
  script: z.array(z.string()).default(['all']).meta({
    placeholder: 'name',
    defaultText: 'all',
    description: 'Script of the service, with --run or by hand. "list" prints the names.',
  }),
  listen: listen
    .default({ host: '127.0.0.1', port: 4490 })
    .meta({ placeholder: 'address', defaultText: DEFAULT_LISTEN, description: 'Address of the service.' }),
  serviceNames: serviceNames.default(DEFAULT_SERVICE_NAMES).meta({ defaultText: 'svc_, X-Svc-, messenger' }),
  ...reportSettings,
});

export type CallerSettings = z.output<typeof callerSettings>;

export const paymentsSettings = z
  .object({
    driver: visibleText.exactOptional().meta({
      placeholder: 'module',
      description: 'File or package with the driver of your provider as its default export.',
    }),
    only: only.meta({ description: 'Run only these cases or areas, such as refund,event.replayed.' }),
    list: toggle({ group: CHOICE, description: 'List the cases, and run nothing.' }),
    ...reportSettings,
  })
  .check(
    settingsRule({
      reads: ['driver', 'list'],
      isMet: ({ driver, list }) => driver !== undefined || list === true,
      error: '--driver is required: File or package with the driver of your provider as its default export.',
    }),
  );

export type PaymentsSettings = z.output<typeof paymentsSettings>;
