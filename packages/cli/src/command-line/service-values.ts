import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { serviceNamesOption } from '@latchkey/contract';
import { DEFAULT_SERVICE_NAMES, isLoopback } from '@latchkey/contract/constants';
import * as z from 'zod';
import { origin, parsedText, settingsRule } from './values.js';

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

/** SMTP server with its credentials. */
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

/** The service's names, as one JSON object. */
export const serviceNames = z
  .string()
  .transform((text, context) => {
    const parsed = serviceNamesOption.safeParse(jsonObject(text));
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.addIssue({ code: 'custom', message: describe(issue) });
    return z.NEVER;
  })
  .meta({
    placeholder: 'json',
    variable: 'LATCHKEY_SERVICE_NAMES',
    description: `Names of the service: prefix of API keys, prefix of webhook headers, messenger in paths. All processes on a database need the same. Example: '${EXAMPLE}'.`,
  });

/** Returns names as the command line takes them. */
export function serviceNamesText({
  apiKeyPrefix,
  headerPrefix,
  messenger,
}: z.output<typeof serviceNames>): string {
  return JSON.stringify({ apiKeyPrefix, headerPrefix, messenger });
}

function jsonObject(text: string): unknown {
  try {
    // A missing option means the defaults, so JSON that isn't an object must not look like a missing option.
    return JSON.parse(text) ?? null;
  } catch {
    return null;
  }
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
