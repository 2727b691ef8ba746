import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Environment } from './command-line/read-settings.js';
import { KNOWN_VARIABLES } from './known-variables.js';

/** Commands of a service in production, whose supervisor passes the settings. */
const WITHOUT_FILE = ['serve', 'migrate', 'admin'];

/** Variables that contain the secret of somebody. */
const SECRET = /_(?:TOKEN|KEY|SECRET)(?:_FILE)?$/;

/** Folder of the command's own files, inside a project. */
export const OWN_FOLDER = '.latchkey';

/** File with the control token of the sandbox that was last started in the folder. */
const TOKEN_FILE = join(OWN_FOLDER, 'sandbox-token');

/**
 * Returns the environment with what the file `.env` of the folder adds: variables that a command reads and that are not set. A folder
 * can be a stranger's, so its addresses do not count while the environment has a secret that would be sent there, and it can't choose
 * a file whose content would be sent. Without a token, the one of the sandbox that ran in this folder is added.
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

/**
 * Keeps the token of a sandbox for the commands that run in the folder, and for its next start there. Only the user can read it, and
 * git ignores it. Does nothing in a folder that can't be written.
 */
export function keepSandboxToken(folder: string, token: string): void {
  try {
    mkdirSync(join(folder, OWN_FOLDER), { recursive: true });
    // Replaced, and not written to: it could be a link, or readable by others.
    rmSync(join(folder, TOKEN_FILE), { force: true });
    writeFileSync(join(folder, TOKEN_FILE), `${token}\n`, { flag: 'wx', mode: 0o600 });
    writeFileSync(join(folder, OWN_FOLDER, '.gitignore'), '*\n', { flag: 'wx' });
  } catch {
    // The start of the sandbox prints the token, too.
  }
}

/** True for a file that isn't a link: a stranger's folder could otherwise choose which file is sent. */
function isOwnFile(file: string): boolean {
  const type = (path: string) => lstatSync(path, { throwIfNoEntry: false });
  return type(dirname(file))?.isDirectory() === true && type(file)?.isFile() === true;
}

function readEnv(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch {
    // Most folders have none.
    return {};
  }
}
