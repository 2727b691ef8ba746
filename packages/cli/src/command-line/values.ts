import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { serviceNamesOption } from '@latchkey/contract';
import { DEFAULT_SERVICE_NAMES, isLoopback, jsonOf, parseTimestamp } from '@latchkey/contract/constants';
import { instantField } from '@latchkey/server/schemas';
import * as z from 'zod';

const DURATION = /^(\d{1,9})(ms|s|m)?$/;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 } as const;

export const visibleText = z.string().regex(/\S/, 'must not be empty');

/** A flag without a value. */
export const toggle = (meta: z.GlobalMeta) => z.boolean().default(false).meta(meta);

/** A secret from the environment. A line break at its end would make it an invalid header. */
export const secret = (variable: string, description: string) =>
  z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without white space')
    .exactOptional()
    .meta({ variable, description, isSecret: true, isVariableOnly: true });

export const portNumber = z.int().min(0).max(65_535);

/** Longest duration, in milliseconds: a day. Timers of more than 25 days fire at once. */
const DURATION_MAX_MS = 24 * 60 * 60_000;

/** A duration such as `30s`, parsed to milliseconds. */
export const duration = z
  .string()
  .regex(DURATION, 'must be a duration such as 500ms, 10s or 2m')
  .transform((text) => {
    const [, amount = '', unit = 's'] = DURATION.exec(text) ?? [];
    return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  })
  .refine((ms) => ms <= DURATION_MAX_MS, 'must be at most 1440m');

/** A string that is parsed, or rejected with this message. */
export function parsedText<Value>(parse: (text: string) => Value | undefined, message: string) {
  return z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message, input: text });
    return z.NEVER;
  });
}

/**
 * An http or https origin: scheme, host and port. The result is as browsers send it: in lower case, with an ASCII host
 * and no default port.
 */
export const origin = parsedText((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && url.href === `${url.origin}/` && !url.hostname.includes('*') ? url.origin : undefined;
}, 'must be an origin such as https://members.example, without a path, a user or a wildcard');

/** An http or https URL without a password. */
export const webUrl = (message: string) =>
  parsedText((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
    return isWeb && url.username + url.password === '' ? url.href : undefined;
  }, message);

/** A check of an object schema that runs even if other fields are invalid, so all errors are reported at once. */
export function settingsRule<Settings>({
  reads,
  isMet,
  error,
}: {
  /** Settings that the rule reads. It's skipped if one of them is invalid by itself. */
  readonly reads: readonly (keyof Settings)[];
  isMet(settings: Partial<Settings>): boolean;
  readonly error: string | ((settings: Partial<Settings>) => string);
}): z.core.$ZodCheck<Settings> {
  return z.refine<Settings>((settings) => isMet(settings), {
    error: ({ input }) => (typeof error === 'string' ? error : error(input as Partial<Settings>)),
    when: ({ issues }) => !issues.some(({ path = [] }) => reads.some((setting) => setting === path[0])),
  });
}

/** An ISO-8601 date or time, in milliseconds since the epoch. */
export const instant = parsedText(
  parseTimestamp,
  'must be an ISO-8601 time such as 2027-01-31T12:00:00Z',
).pipe(instantField);

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

/** True if only this machine can reach the host. */
export function isLoopbackHost(host: string): boolean {
  return isLoopback({ hostname: host === '::1' ? '[::1]' : host });
}

export const databaseUrl = z
  .string()
  .refine(isDatabaseUrl, 'must be sqlite:/path/to/file.sqlite or postgres://user:password@host:5432/name')
  .meta({
    placeholder: 'url',
    variable: 'LATCHKEY_DATABASE',
    isSecret: true,
    description:
      'URL of the database: sqlite:/path/to/file.sqlite or postgres://user:password@host:5432/name.',
  });

function isDatabaseUrl(text: string): boolean {
  if (text.startsWith('sqlite:')) return text !== 'sqlite:';
  return ['postgres:', 'postgresql:'].includes(protocolOf(text) ?? '');
}

/** Rejects a SQLite file in a folder that doesn't exist. */
export const databaseFolderRule = settingsRule<{ database?: string }>({
  reads: ['database'],
  isMet: ({ database }) => missingFolder(database) === undefined,
  error: ({ database }) =>
    `The folder of the SQLite file does not exist: ${missingFolder(database)}. Create it first.`,
});

function missingFolder(database: string | undefined): string | undefined {
  if (!database?.startsWith('sqlite:') || database === 'sqlite::memory:') return undefined;
  const folder = dirname(resolve(database.slice('sqlite:'.length)));
  return existsSync(folder) ? undefined : folder;
}

/** Origin of the service itself: https, or http on a loopback address. */
export const serviceOrigin = origin
  .refine(
    (text) => text.startsWith('https:') || isLoopbackHost(new URL(text).hostname),
    'must be an https origin such as https://members.example, or http on a loopback address',
  )
  .meta({ placeholder: 'origin', variable: 'LATCHKEY_BASE_URL' });

/** Base URL of a service, without a trailing slash: https, or http on a loopback address. It can contain a path. */
export const serviceUrl = parsedText((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  const hasMore = url?.username || url?.password || url?.search || url?.hash;
  return isAllowed && !hasMore ? url.href.replace(/\/+$/, '') : undefined;
}, 'must be an https URL such as https://service.example, or http on a loopback address, without a password, query or fragment');

export const smtpUrl = z
  .string()
  .refine(
    (text) => ['smtp:', 'smtps:'].includes(protocolOf(text) ?? '') && new URL(text).hostname !== '',
    'must be smtp://user:password@host:587 or smtps://user:password@host:465',
  )
  .meta({ placeholder: 'url', variable: 'LATCHKEY_SMTP_URL', isSecret: true });

function protocolOf(text: string): string | undefined {
  return URL.canParse(text) ? new URL(text).protocol : undefined;
}

/** Express's `trust proxy`, without `true`: with it, every caller could choose its own address. */
export const trustedProxies = parsedText(
  (text): number | string | undefined => {
    if (/^\d{1,2}$/.test(text)) return Number(text);
    const parts = text.split(',').map((part) => part.trim());
    const isList = parts.every((part) => PROXY_GROUPS.includes(part) || isAddressRange(part));
    return isList ? parts.join(',') : undefined;
  },
  `must be the number of proxies (1), their addresses (10.0.0.0/8,127.0.0.1), or ${PROXY_GROUPS.join(', ')}`,
);

function isAddressRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

// With spaces, so the help can break the line.
const EXAMPLE = '{"apiKeyPrefix": "acme_", "headerPrefix": "X-Acme-", "messenger": "telegram"}';

export const serviceNames = z
  .string()
  .transform((text, context) => {
    // A missing option means the defaults, so JSON that isn't an object must not look like a missing option.
    const parsed = serviceNamesOption.safeParse(jsonOf(text) ?? null);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.addIssue({ code: 'custom', message: describe(issue) });
    return z.NEVER;
  })
  .meta({
    placeholder: 'json',
    variable: 'LATCHKEY_SERVICE_NAMES',
    description: `Names of the service: prefix of API keys, prefix of webhook headers, messenger in paths. All processes on a database need the same. Example: '${EXAMPLE}'.`,
  });

export function serviceNamesText({
  apiKeyPrefix,
  headerPrefix,
  messenger,
}: z.output<typeof serviceNames>): string {
  return JSON.stringify({ apiKeyPrefix, headerPrefix, messenger });
}

function describe(issue: z.core.$ZodIssue): string {
  const [name] = issue.path;
  const example = `such as ${EXAMPLE}`;
  if (issue.code === 'unrecognized_keys') {
    const keys = Object.keys(DEFAULT_SERVICE_NAMES).join(', ');
    return `unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}. The keys are ${keys}: an object ${example}`;
  }
  if (name === undefined) return `must be a JSON object ${example}`;
  const rule = issue.code === 'invalid_type' ? 'must be text' : issue.message.replace(/\.$/, '');
  return `${String(name)} ${rule}: an object ${example}`;
}
