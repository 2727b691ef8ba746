import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import type { FlagText, Reader } from './flag.js';
import { origin } from './readers.js';

const LOOPBACK_HOST = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/;
const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether only this machine reaches a host. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}

/** Where the service keeps its data. */
export const databaseUrl: Reader<string> = {
  fix: 'give sqlite:/path/to/file.sqlite or postgres://user:password@host:5432/name',
  read(given) {
    if (given.startsWith('sqlite:')) return given === 'sqlite:' ? undefined : given;
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const isPostgres = url?.protocol === 'postgres:' || url?.protocol === 'postgresql:';
    return isPostgres ? given : undefined;
  },
};

export const databaseText: FlagText = {
  placeholder: '<url>',
  summary:
    'Where the data is: sqlite: and the path of a file, or postgres://user:password@host:5432/name. Other users of the machine can see flags, so give a password in the variable.',
  variable: 'LATCHKEY_DATABASE',
  isSecret: true,
};

/** The folder that a database's file would lie in, when it does not exist. */
export function missingFolder(database: string | undefined): string | undefined {
  if (!database?.startsWith('sqlite:') || database === 'sqlite::memory:') return undefined;
  const folder = dirname(resolve(database.slice('sqlite:'.length)));
  return existsSync(folder) ? undefined : folder;
}

/** The service's own origin: https, or http for this machine only. */
export const serviceOrigin: Reader<string> = {
  fix: 'give an https origin such as https://members.example, or http on a loopback address, without a path',
  read(given) {
    const found = origin.read(given);
    if (found === undefined || found.startsWith('https:')) return found;
    return isLoopbackHost(new URL(found).hostname) ? found : undefined;
  },
};

/** An SMTP server with what it takes to use it. */
export const smtpUrl: Reader<string> = {
  fix: 'give smtp://user:password@host:587 or smtps://user:password@host:465',
  read(given) {
    const url = URL.canParse(given) ? new URL(given) : undefined;
    const isSmtp = (url?.protocol === 'smtp:' || url?.protocol === 'smtps:') && url.hostname !== '';
    return isSmtp ? given : undefined;
  },
};

/** Express's `trust proxy` without `true`: that lets every caller choose where it seems to come from. */
export const trustedProxies: Reader<number | string> = {
  fix: 'give how many proxies stand in front (1), or their addresses (10.0.0.0/8,127.0.0.1), or loopback, linklocal, uniquelocal',
  read(given) {
    if (/^\d{1,2}$/.test(given)) return Number(given);
    const parts = given.split(',').map((part) => part.trim());
    return parts.every((part) => PROXY_GROUPS.includes(part) || isAddressRange(part))
      ? parts.join(',')
      : undefined;
  },
};

function isAddressRange(given: string): boolean {
  const [address = '', bits, ...more] = given.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
