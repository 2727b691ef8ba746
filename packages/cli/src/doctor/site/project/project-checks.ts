import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeVersionError, OLDEST_NODE } from '../../../command-line/node-version.js';
import { secretKinds } from '../checks/secret-kinds.js';
import type { Finding } from '../findings/finding.js';

export interface ProjectInput {
  /** Folder with package.json. */
  readonly folder: string;
  /** Version of the running Node.js, such as `24.1.0`. */
  readonly nodeVersion: string;
  readonly apiKeyPrefix: string;
  /** Secrets of the environment. Never printed. */
  readonly secrets: readonly string[];
}

/** Prefixes of variables that build tools write into scripts for browsers. */
const PUBLIC_VARIABLE =
  /^\s*(?:export\s+)?((?:VITE|NEXT_PUBLIC|NUXT_PUBLIC|REACT_APP|PUBLIC|EXPO_PUBLIC|GATSBY|VUE_APP)_\w+)\s*=(.*)$/gm;

/** Examines the files of a project: Node.js, the installed packages and the environment files. Runs none of its code. */
export function projectChecks(input: ProjectInput): Finding[] {
  const file = join(input.folder, 'package.json');
  const manifest = readJson(file);
  if (manifest === undefined) {
    const meaning = 'There is no package.json that can be read.';
    const action = 'Run the command in the folder of your project, or name it with --project.';
    return [{ code: 'packages-missing', where: file, meaning, action }];
  }
  return [
    ...nodeVersion(input, file),
    ...engines(manifest, file),
    ...packages(input, manifest, file),
    ...environment(input),
  ];
}

function nodeVersion({ nodeVersion: version }: ProjectInput, where: string): Finding[] {
  if (nodeVersionError(version) === undefined) return [];
  const meaning = `This is Node.js ${version}. The packages of Latchkey need ${OLDEST_NODE} or newer.`;
  return [{ code: 'node-version', where, meaning, action: 'Install a newer version: https://nodejs.org' }];
}

function engines(manifest: Manifest, where: string): Finding[] {
  const range = manifest.engines?.node;
  // The lowest version of the range, whatever its operators are.
  const versions = typeof range === 'string' ? (range.match(/\d+(?:\.\d+)*/g) ?? []) : [];
  const lowest = versions.find((version) => nodeVersionError(asVersion(version)) !== undefined);
  if (lowest === undefined || /^\s*</.test(String(range))) return [];
  return [
    {
      code: 'engines-node',
      where,
      meaning: `engines allows Node.js ${lowest}. The packages of Latchkey need ${OLDEST_NODE} or newer.`,
      action: `Set "engines": { "node": ">=${OLDEST_NODE}" }, so that your host installs a version that works.`,
    },
  ];
}

/** `22` stands for its newest minor version. */
function asVersion(text: string): string {
  return text.includes('.') ? text : `${text}.99`;
}

function packages({ folder }: ProjectInput, manifest: Manifest, where: string): Finding[] {
  const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
    .filter((name) => /^@latchkey\/[a-z-]+$/.test(name))
    .sort();
  const installed = named.map((name) => [name, versionOf(folder, name)] as const);
  const missing = installed.filter(([, version]) => version === undefined).map(([name]) => name);
  const versions = new Set(installed.flatMap(([, version]) => version ?? []));
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            code: 'packages-missing' as const,
            where,
            meaning: `package.json names packages that are not installed: ${missing.join(', ')}.`,
            action: 'Run npm install.',
          },
        ]),
    ...(versions.size < 2
      ? []
      : [
          {
            code: 'package-versions' as const,
            where,
            meaning: `The packages of Latchkey have different versions: ${installed.map(([name, version]) => `${name} ${version ?? '(none)'}`).join(', ')}.`,
            action: 'Install the same version of all of them. They are released together.',
          },
        ]),
  ];
}

/** Version of an installed package. Node.js searches the parent folders too, as workspaces need. */
function versionOf(folder: string, name: string): string | undefined {
  for (let at = folder; ; at = join(at, '..')) {
    const version = readJson(join(at, 'node_modules', name, 'package.json'))?.version;
    if (typeof version === 'string') return version;
    if (join(at, '..') === at) return undefined;
  }
}

function environment({ folder, apiKeyPrefix, secrets }: ProjectInput): Finding[] {
  const files = readdirSync(folder).filter((name) => /^\.env(?:\.[\w.-]+)?$/.test(name));
  const patterns = { names: { apiKeyPrefix }, secrets };
  const bundled = files.flatMap((name) => {
    const matches = [...(readText(join(folder, name)) ?? '').matchAll(PUBLIC_VARIABLE)];
    return matches.flatMap(([, variable = '', value = '']) =>
      secretKinds(value, patterns).map((kind) => ({
        code: 'env-secret-in-bundle' as const,
        where: join(folder, name),
        meaning: `${variable} contains ${kind}. Build tools write variables with this prefix into the scripts of pages.`,
        action:
          'Rename the variable, read it on the server only, and replace the secret in the developer area.',
      })),
    );
  });
  return [...bundled, ...tracked(folder, files)];
}

/** An environment file that git does not ignore is published with the next commit. */
function tracked(folder: string, files: readonly string[]): Finding[] {
  const ignored = readText(join(folder, '.gitignore')) ?? '';
  const isSecret = (name: string) =>
    !/example|sample|template/.test(name) &&
    /LATCHKEY_|ocs_[0-9a-f]{48}/.test(readText(join(folder, name)) ?? '');
  const file = files.find(isSecret);
  if (file === undefined || !existsSync(join(folder, '.git')) || /^\/?\.env\b|^\/?\*\.env\b/m.test(ignored))
    return [];
  return [
    {
      code: 'env-file-tracked',
      where: join(folder, file),
      meaning: 'The file contains settings of Latchkey, and .gitignore does not name it.',
      action: 'Add .env* to .gitignore, and keep an example without values.',
    },
  ];
}

interface Manifest {
  readonly version?: unknown;
  readonly engines?: { readonly node?: unknown };
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

function readJson(path: string): Manifest | undefined {
  try {
    const value: unknown = JSON.parse(readText(path) ?? '');
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
