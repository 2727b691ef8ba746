import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile } from '../command-line/files.js';
import { nodeVersionError, OLDEST_NODE } from '../command-line/node-version.js';
import type { Finding, FindingCode } from './findings.js';

export interface ProjectInput {
  /** Folder with package.json. */
  readonly folder: string;
  /** Version of the running Node.js, such as `24.1.0`. */
  readonly nodeVersion: string;
  readonly apiKeyPrefix: string;
  /** Secrets from the environment. Never printed. */
  readonly secrets: readonly string[];
}

/** Prefixes of variables that build tools put into scripts for browsers. */
const PUBLIC_VARIABLE =
  /^\s*(?:export\s+)?((?:VITE|NEXT_PUBLIC|NUXT_PUBLIC|REACT_APP|PUBLIC|EXPO_PUBLIC|GATSBY|VUE_APP)_\w+)\s*=(.*)$/gm;

type Report = (code: FindingCode, finding: Omit<Finding, 'code'>) => void;

/** Checks a project's Node.js version, installed packages and environment files. Runs none of its code. */
export function projectChecks(input: ProjectInput): Finding[] {
  const findings: Finding[] = [];
  const report: Report = (code, finding) => findings.push({ code, ...finding });
  const where = join(input.folder, 'package.json');
  const manifest = readManifest(where);
  if (typeof manifest === 'string') {
    report('packages-missing', {
      where,
      meaning: `package.json cannot be read (${manifest}).`,
      action: existsSync(where)
        ? 'Correct the file.'
        : 'Run the command in the folder of your project, or name it with --project.',
    });
    return findings;
  }
  if (nodeVersionError(input.nodeVersion) !== undefined)
    report('node-version', {
      where,
      meaning: `This is Node.js ${input.nodeVersion}. The packages of Latchkey need ${OLDEST_NODE} or newer.`,
      action: 'Install a newer version: https://nodejs.org',
    });
  engines(manifest, where, report);
  packages(input, manifest, where, report);
  environment(input, report);
  return findings;
}

function engines(manifest: Manifest, where: string, report: Report): void {
  const range = manifest.engines?.node;
  // The lowest version in the range, whatever its operators are.
  const versions = typeof range === 'string' ? (range.match(/\d+(?:\.\d+)*/g) ?? []) : [];
  const lowest = versions.find((version) => nodeVersionError(asVersion(version)) !== undefined);
  if (lowest === undefined || /^\s*</.test(String(range))) return;
  report('engines-node', {
    where,
    meaning: `engines allows Node.js ${lowest}. The packages of Latchkey need ${OLDEST_NODE} or newer.`,
    action: `Set "engines": { "node": ">=${OLDEST_NODE}" }, so that your host installs a version that works.`,
  });
}

/** `22` stands for its newest minor version. */
function asVersion(text: string): string {
  return text.includes('.') ? text : `${text}.99`;
}

function packages({ folder }: ProjectInput, manifest: Manifest, where: string, report: Report): void {
  const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter((name) => /^@latchkey\/[a-z-]+$/.test(name))
    .sort();
  const installed = named.map((name) => [name, versionOf(folder, name)] as const);
  const missing = installed.filter(([, version]) => version === undefined).map(([name]) => name);
  const versions = new Set(installed.flatMap(([, version]) => version ?? []));
  if (missing.length > 0)
    report('packages-missing', {
      where,
      meaning: `package.json names packages that are not installed: ${missing.join(', ')}.`,
      action: 'Run npm install.',
    });
  if (versions.size > 1)
    report('package-versions', {
      where,
      meaning: `The packages of Latchkey have different versions: ${installed.map(([name, version]) => `${name} ${version ?? '(none)'}`).join(', ')}.`,
      action: 'Install the same version of all of them. They are released together.',
    });
}

/** Returns the version of an installed package. Node.js searches the parent folders too, as workspaces need. */
function versionOf(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = join(at, '..')) {
    const manifest = readManifest(join(at, 'node_modules', name, 'package.json'));
    if (typeof manifest !== 'string' && typeof manifest.version === 'string') return manifest.version;
    if (join(at, '..') === at) return undefined;
  }
}

function environment({ folder, apiKeyPrefix, secrets }: ProjectInput, report: Report): void {
  const files = readdirSync(folder).filter((name) => /^\.env(?:\.[\w.-]+)?$/.test(name));
  for (const name of files) {
    const where = join(folder, name);
    for (const [, variable, value = ''] of (readText(where) ?? '').matchAll(PUBLIC_VARIABLE)) {
      for (const kind of secretKinds(value, apiKeyPrefix, secrets))
        report('env-secret-in-bundle', {
          where,
          meaning: `${variable} contains ${kind}. Build tools write variables with this prefix into the scripts of pages.`,
          action:
            'Rename the variable, read it on the server only, and replace the secret in the developer area.',
        });
    }
  }
  // An environment file that git doesn't ignore is published with the next commit.
  const ignored = readText(join(folder, '.gitignore')) ?? '';
  const isSecret = (name: string) =>
    !/example|sample|template/.test(name) &&
    /LATCHKEY_|ocs_[0-9a-f]{48}/.test(readText(join(folder, name)) ?? '');
  const file = files.find(isSecret);
  if (file === undefined || !existsSync(join(folder, '.git')) || /^\/?\.env\b|^\/?\*\.env\b/m.test(ignored))
    return;
  report('env-file-tracked', {
    where: join(folder, file),
    meaning: 'The file contains settings of Latchkey, and .gitignore does not name it.',
    action: 'Add .env* to .gitignore, and keep an example without values.',
  });
}

interface Manifest {
  readonly version?: unknown;
  readonly engines?: { readonly node?: unknown };
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

/** Returns why there is no manifest if there is none. */
function readManifest(path: string): Manifest | string {
  const read = readJsonFile(path);
  if (read.kind === 'unreadable') return read.reason;
  const { content } = read;
  const isObject = typeof content === 'object' && content !== null && !Array.isArray(content);
  return isObject ? content : 'it is not an object';
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Length of an API key after its prefix, in characters. */
const API_KEY_LENGTH = 43;
/** Shorter values from the environment can be in a page by chance. */
const SECRET_LENGTH_MIN = 16;

export function secretKinds(text: string, apiKeyPrefix: string, secrets: readonly string[]): string[] {
  const prefix = apiKeyPrefix.replaceAll(/[^\w]/g, (character) => `\\${character}`);
  return [
    ...(/\bocs_[0-9a-f]{48}\b/.test(text) ? ['a client secret'] : []),
    ...(new RegExp(`(?<![\\w-])${prefix}[A-Za-z0-9_-]{${API_KEY_LENGTH}}(?![\\w-])`).test(text)
      ? ['an API key']
      : []),
    ...(secrets.some((secret) => secret.length >= SECRET_LENGTH_MIN && text.includes(secret))
      ? ['a secret of your environment']
      : []),
  ];
}
