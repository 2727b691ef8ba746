import { fixturesSchema } from '@latchkey/conformance/fixtures';
import * as z from 'zod';
import { readJsonFile } from '../command-line/read-json-file.js';
import { isLoopbackHost } from '../command-line/service-values.js';
import { settingsRule } from '../command-line/settings-rule.js';

const CHOICE = 'Choice of checks';
const REPORT = 'Report';

/** Requests per second of a run, low enough for a service with other users. */
const DEFAULT_RATE = 5;

/** Base URL of a service, without a slash at its end: https, or http on a loopback address. */
const baseUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  const hasMore = url?.username || url?.password || url?.search || url?.hash;
  if (url !== undefined && isAllowed && !hasMore) return url.href.replace(/\/+$/, '');
  context.addIssue({
    code: 'custom',
    message: 'must be an https URL such as https://service.example, or http on a loopback address',
  });
  return z.NEVER;
});

const fixturesFile = z.string().transform((path, context) => {
  const read = readJsonFile(path);
  if (read.kind === 'unreadable') {
    context.addIssue({ code: 'custom', message: `cannot be read (${read.reason})` });
    return z.NEVER;
  }
  const result = fixturesSchema.safeParse(read.content);
  if (result.success) return result.data;
  // Values can be secrets, so the message names fields only.
  for (const { path: field, message } of result.error.issues) {
    context.addIssue({ code: 'custom', message: `${field.join('.') || 'the file'}: ${message}` });
  }
  return z.NEVER;
});

const file = (description: string) =>
  z
    .string()
    .regex(/\S/, 'must not be empty')
    .exactOptional()
    .meta({ group: REPORT, placeholder: 'file', description });

/** Settings of `latchkey conformance`. */
export const conformanceSettings = z
  .object({
    baseUrl: baseUrl.exactOptional().meta({
      placeholder: 'url',
      variable: 'LATCHKEY_SERVICE_URL',
      description: 'Base URL of the service under test.',
    }),
    fixtures: fixturesFile.exactOptional().meta({
      placeholder: 'file',
      description: 'JSON file with keys, communities, clients and a driver at the service.',
    }),
    destructive: z
      .boolean()
      .default(false)
      .meta({ description: 'Also run the checks that write. Never use it on a live service.' }),
    rate: z
      .number()
      .min(0.1, 'must be at least 0.1')
      .max(1_000, 'must be at most 1000')
      .default(DEFAULT_RATE)
      .meta({ placeholder: 'number', description: 'Requests per second at most.' }),
    only: z
      .array(z.string().regex(/^[a-z][a-z0-9.,-]*$/, 'must be requirement ids or areas, separated by commas'))
      .default([])
      .meta({
        group: CHOICE,
        placeholder: 'ids',
        defaultText: 'all',
        description: 'Run only these rules or areas, such as token,provision.created.',
      }),
    list: z
      .boolean()
      .default(false)
      .meta({ group: CHOICE, description: 'List the checks, and send nothing.' }),
    seed: z.int().min(0).exactOptional().meta({
      group: CHOICE,
      placeholder: 'number',
      description: 'Seed of the generated requests, to repeat a run.',
    }),
    resume: file('Keep results in this file, and skip those that it contains.'),
    junit: file('Write the report as JUnit XML.'),
    html: file('Write the report as one HTML file.'),
    json: z
      .boolean()
      .default(false)
      .meta({ group: REPORT, description: 'Print the report as one line of JSON.' }),
    verbose: z
      .boolean()
      .default(false)
      .meta({ group: REPORT, description: 'Also list the rules that are kept.' }),
    apiKey: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without white space')
      .exactOptional()
      .meta({
        variable: 'LATCHKEY_API_KEY',
        description: 'API key, if the fixtures contain no keys.full',
        isSecret: true,
        isVariableOnly: true,
      }),
  })
  .check(
    settingsRule<{ baseUrl?: string; list?: boolean }>({
      reads: ['baseUrl', 'list'],
      isMet: ({ baseUrl: url, list }) => url !== undefined || list === true,
      error: '--base-url (or LATCHKEY_SERVICE_URL) is required: Base URL of the service under test.',
    }),
  );

export type ConformanceSettings = z.output<typeof conformanceSettings>;
