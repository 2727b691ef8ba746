import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './command-line/read-settings.js';
import { KNOWN_VARIABLES } from './known-variables.js';

/** Commands of a service in production, whose supervisor passes the settings. */
const WITHOUT_FILE = ['serve', 'migrate', 'admin'];

/** Variables that contain the secret of somebody. */
const SECRET = /_(?:TOKEN|KEY|SECRET)(?:_FILE)?$/;

/**
 * Returns the environment with what the file `.env` of the folder adds: variables that a command reads and that are not set. A folder
 * can be a stranger's, so its addresses do not count while the environment has a secret that would be sent there.
 */
export function withFolderEnv(args: readonly string[], folder: string, env: Environment): Environment {
  if (WITHOUT_FILE.includes(args[0] ?? '')) return env;
  const isSet = (name: string) => (env[name] ?? '') !== '';
  const hasSecret = KNOWN_VARIABLES.some((name) => SECRET.test(name) && isSet(name));
  const added = Object.entries(readEnv(join(folder, '.env'))).filter(
    ([name]) =>
      KNOWN_VARIABLES.includes(name) &&
      !isSet(name) &&
      !isSet(`${name}_FILE`) &&
      !(hasSecret && /_URL$/.test(name)),
  );
  return { ...env, ...Object.fromEntries(added) };
}

function readEnv(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    // Most folders have none.
    return {};
  }
}
