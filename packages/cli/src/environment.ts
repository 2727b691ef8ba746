import { lstatSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { TOKEN_FILE } from './command-line/files.js';
import type { Environment } from './command-line/read-settings.js';

/** Variables with secrets. Each can be the path of a file instead, with `_FILE` at the end of its name. */
const SECRET_VARIABLES = [
  'LATCHKEY_ACCESS_TOKEN',
  'LATCHKEY_API_KEY',
  'LATCHKEY_DATABASE',
  'LATCHKEY_SANDBOX_TOKEN',
  'LATCHKEY_SMTP_URL',
  'LATCHKEY_STRIPE_SECRET_KEY',
  'LATCHKEY_STRIPE_WEBHOOK_SECRET',
  'LATCHKEY_WEBHOOK_SECRET',
];

/** Variables that commands read. Loading all commands' settings takes memory that `latchkey serve` would keep. */
export const KNOWN_VARIABLES: readonly string[] = [
  ...SECRET_VARIABLES.flatMap((name) => [name, `${name}_FILE`]),
  'LATCHKEY_ALLOW_PUBLIC',
  'LATCHKEY_BACKGROUND_WORK',
  'LATCHKEY_BASE_URL',
  'LATCHKEY_BRAND_ACCENT',
  'LATCHKEY_BRAND_LOGO',
  'LATCHKEY_BRAND_NAME',
  'LATCHKEY_DRAIN_DELAY',
  'LATCHKEY_HOSTNAME',
  'LATCHKEY_LOG_LEVEL',
  'LATCHKEY_LOG_URL',
  'LATCHKEY_MAIL_FROM',
  'LATCHKEY_METRICS_HOSTNAME',
  'LATCHKEY_METRICS_PORT',
  'LATCHKEY_MIGRATE',
  'LATCHKEY_PAYMENTS',
  'LATCHKEY_PORT',
  'LATCHKEY_SANDBOX_URL',
  'LATCHKEY_SCENARIO',
  'LATCHKEY_SERVICE_NAMES',
  'LATCHKEY_SERVICE_URL',
  'LATCHKEY_SHUTDOWN_GRACE',
  'LATCHKEY_SITE',
  'LATCHKEY_SMTP_PLAINTEXT',
  'LATCHKEY_STRIPE_API_URL',
  'LATCHKEY_STRIPE_INVOICES',
  'LATCHKEY_STRIPE_MODE',
  'LATCHKEY_STRIPE_TAX',
  'LATCHKEY_TRUST_PROXY',
];

/** Commands of a service in production, where a supervisor passes the settings. */
const WITHOUT_FILE = ['serve', 'migrate', 'admin'];

/** Variables that contain somebody's secret. */
const SECRET = /_(?:TOKEN|KEY|SECRET)(?:_FILE)?$/;

/**
 * Returns the environment plus what the folder's `.env` file has: variables that a command reads and that aren't set
 * yet. The folder can be a stranger's, so its URLs are ignored while the environment has a secret that would be sent
 * there, and it can't choose a file to send. If there is no token, it gets the one of the sandbox that ran in this
 * folder.
 */
export function withFolderEnv(args: readonly string[], folder: string, env: Environment): Environment {
  if (WITHOUT_FILE.includes(args[0] ?? '')) return env;
  const isSet = (name: string) => (env[name] ?? '') !== '';
  const hasSecret = KNOWN_VARIABLES.some((name) => SECRET.test(name) && isSet(name));
  const added = Object.entries(readEnv(join(folder, '.env'))).filter(
    ([name]) =>
      KNOWN_VARIABLES.includes(name) &&
      !name.endsWith('_FILE') &&
      !isSet(name) &&
      !isSet(`${name}_FILE`) &&
      !(hasSecret && /_URL$/.test(name)),
  );
  const result = { ...env, ...Object.fromEntries(added) };
  const [token, file] = ['LATCHKEY_SANDBOX_TOKEN', 'LATCHKEY_SANDBOX_TOKEN_FILE'];
  const kept = join(folder, TOKEN_FILE);
  return result[token] || result[file] || !isOwnFile(kept) ? result : { ...result, [file]: kept };
}

/** True for a file that isn't a link: a stranger's folder could otherwise choose which file is sent. */
function isOwnFile(file: string): boolean {
  const type = (path: string) => lstatSync(path, { throwIfNoEntry: false });
  return type(dirname(file))?.isDirectory() === true && type(file)?.isFile() === true;
}

function readEnv(file: string): NodeJS.Dict<string> {
  try {
    // Editors on Windows begin a file with a byte order mark.
    return parseEnv(readFileSync(file, 'utf8').replace('\u{feff}', ''));
  } catch {
    // Most folders have none.
    return {};
  }
}
