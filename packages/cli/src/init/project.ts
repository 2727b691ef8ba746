import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { DEFAULT_SERVICE_NAMES } from '@latchkey/contract/constants';
import { OWN_FOLDER } from '../command-line/files.js';
import { readDocument } from '../explain/explain-command.js';

/** Kinds of sites, each with the guide that shows its files. */
export const GUIDES = {
  page: 'quick-start-script-tag',
  express: 'quick-start-express',
  nextjs: 'quick-start-nextjs',
} as const;

export type Kind = keyof typeof GUIDES;

export interface Choice {
  readonly folder: string;
  readonly kind: Kind;
  readonly typescript: boolean;
  /** True if the folder has an Express app. The kit then goes into a separate file. */
  readonly hasExpress: boolean;
  readonly serviceUrl: string;
  /** Client id at the service. Absent for a sandbox, where the clients are known. */
  readonly clientId?: string;
  /** Control token of the sandbox that has run in the folder, if any. */
  readonly token?: string | undefined;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface Project {
  readonly files: readonly TextFile[];
  /** Lines of `.env` and of `.gitignore`. */
  readonly env: readonly string[];
  readonly ignored: readonly string[];
  /** Sections of `package.json`. */
  readonly manifest: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Code to add to files that only the user can change. */
  readonly toAdd: readonly TextFile[];
}

/** URL of the sandbox in the guides. */
export const SANDBOX_URL = 'http://127.0.0.1:4400';
/** Placeholder in pages for the id of a community that only the user knows. */
export const UNKNOWN_COMMUNITY = 'the-id-of-your-community';

/** Returns the site from the guide for a kind, adapted to the chosen service. */
export async function projectOf(choice: Choice): Promise<Project> {
  const { kind, clientId, serviceUrl, folder } = choice;
  const shown = filesOf(GUIDES[kind], choice);
  const port = serviceUrl === SANDBOX_URL ? '' : ` --port ${new URL(serviceUrl).port}`;
  const start: Record<string, string> =
    clientId === undefined ? { sandbox: `latchkey sandbox --site http://localhost:3000${port}` } : {};
  const common = { env: [], ignored: ['node_modules/', `${OWN_FOLDER}/`], toAdd: [] };
  const own = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`@latchkey/${name}`, packageSource(name, folder)]));
  if (kind === 'page') {
    const scripts = { ...start, start: 'node serve.mjs' };
    return { ...common, files: listOf(shown), manifest: { scripts, devDependencies: own('cli') } };
  }
  const express = filesOf(GUIDES.express, choice);
  const last = shown.get('last line of server.mjs');
  const shownServer = express.get('server.mjs') ?? '';
  const server = last === undefined ? shownServer : shownServer.replace(/^app\.listen\(.*\n/m, last);
  const page = express.get('public/index.html') ?? '';
  const { file, run, types, config } = languageOf(choice);
  const backend = {
    ...common,
    env: clientId === undefined ? await sandboxLines(choice) : serviceLines(server, serviceUrl, clientId),
    ignored: [...common.ignored, '.env', '*.sqlite*'],
  };
  const devDependencies = { ...own('cli'), ...types };
  if (kind === 'express') {
    const dependencies = { ...own('express'), express: '^5' };
    if (choice.hasExpress) {
      const { kit, use } = splitServer(file('latchkey', server));
      const toAdd = [use, { path: 'your pages', text: elementsOf(page) }];
      return { ...backend, files: [kit], toAdd, manifest: { scripts: start, dependencies, devDependencies } };
    }
    const files = [file('server', server), { path: 'public/index.html', text: page }, ...config];
    return {
      ...backend,
      files,
      manifest: { scripts: { ...start, start: run }, dependencies, devDependencies },
    };
  }
  const app = existsSync(join(folder, 'src/app')) ? 'src/app/' : 'app/';
  const pages = listOf(shown)
    .filter(({ path }) => path !== 'app/session.ts')
    .map(({ path, text }) => ({ path: path.replace('app/', app), text }))
    .map((each) => (choice.typescript ? each : withoutTypes(each)));
  return {
    ...backend,
    files: [file('server', server), ...pages, ...config],
    manifest: {
      scripts: { ...start, server: run, dev: 'next dev --port 3000' },
      dependencies: {
        ...own('express', 'widget'),
        express: '^5',
        next: '^16',
        react: '^19',
        'react-dom': '^19',
      },
      devDependencies,
    },
    ignored: [...backend.ignored, '.next/', 'next-env.d.ts'],
  };
}

function languageOf({ typescript, kind }: Choice) {
  const ending = typescript ? '.mts' : '.mjs';
  const flag = typescript && !process.features.typescript ? '--experimental-strip-types ' : '';
  const run = `node ${flag}--env-file=.env server${ending}`;
  // For TypeScript, any variable can be missing.
  const adapted = (text: string) => (typescript ? text.replaceAll(/process\.env\.\w+/g, "$& ?? ''") : text);
  const file = (name: string, text: string) => ({ path: `${name}${ending}`, text: adapted(text) });
  if (!typescript) return { run, file, types: {}, config: [] };
  const types = { typescript: '^7', '@types/node': '^24', '@types/express': '^5' };
  // Next.js writes its own configuration.
  if (kind === 'nextjs') return { run, file, types: { ...types, '@types/react': '^19' }, config: [] };
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    noEmit: true,
  };
  const text = `${JSON.stringify({ compilerOptions, include: ['**/*.mts'] }, null, 2)}\n`;
  return { run, file, types, config: [{ path: 'tsconfig.json', text }] };
}

/** Returns the files in a guide, with the URLs and ids of the chosen service. */
function filesOf(guide: string, { serviceUrl, clientId }: Choice): ReadonlyMap<string, string> {
  const blocks = readDocument(guide).matchAll(/^```\w+ ([^\n]+)\n(.*?)^```/gms);
  return new Map(
    [...blocks].map(([, path = '', code = '']) => {
      const text = code.replaceAll(SANDBOX_URL, serviceUrl);
      return [path, clientId === undefined ? text : withoutSamples(text, clientId)];
    }),
  );
}

/** Removes what only a sandbox knows: its clients, its community, and the membership of Ada. */
function withoutSamples(text: string, clientId: string): string {
  return text
    .replaceAll(/oac_[\da-f]{24}/g, clientId)
    .replaceAll(/ Members from before .*|^await auth\.directory\.record\(.*\n/gm, '')
    .replaceAll(/community="[^"]*"/g, `community="${UNKNOWN_COMMUNITY}"`);
}

const listOf = (files: ReadonlyMap<string, string>): TextFile[] =>
  [...files].map(([path, text]) => ({ path, text })).filter(({ path }) => !path.includes(' '));

function withoutTypes({ path, text }: TextFile): TextFile {
  const code = text.replaceAll(/^import type .*\n\n?/gm, '').replaceAll(/: \{ \w+: \w+ \}/g, '');
  return { path: path.replace(/\.tsx$/, '.jsx'), text: code };
}

/** Splits the guide's server into a file with the kit, and what an existing app does with it. */
function splitServer({ path, text }: TextFile): { kit: TextFile; use: TextFile } {
  const end = text.indexOf('});\n') + '});\n'.length;
  const kit = text
    .slice(0, end)
    .replaceAll(/^(?:import express|const app).*\n/gm, '')
    .replaceAll(/^const /gm, 'export const ');
  const use = text.slice(end).replaceAll(/^app\.(?:listen|use\(express).*\n/gm, '');
  return {
    kit: { path, text: kit },
    use: {
      path: `your Express app, above express.json() and its routes (in CommonJS, write const { auth, communityId } = require('./${path}'), and no await)`,
      text: `import { auth, communityId } from './${path}';\n${use}`,
    },
  };
}

/** Returns the lines of a page that belong to Latchkey. */
function elementsOf(page: string): string {
  return (
    page.match(/^ *<(?:style|script|latchkey-login)[^\n]*\n|^ *<latchkey-gate.*?<\/latchkey-gate>\n/gms) ?? []
  )
    .join('')
    .replaceAll(/^ {4}/gm, '');
}

async function sandboxLines({ serviceUrl, token }: Choice): Promise<readonly string[]> {
  const { sandboxEnv } = await import('@latchkey/sandbox');
  const controlToken = token ?? randomBytes(24).toString('base64url');
  return sandboxEnv({ baseUrl: serviceUrl, serviceNames: DEFAULT_SERVICE_NAMES, controlToken }).split('\n');
}

/** Returns the variables that the server reads. The ones that only the user knows are empty. */
function serviceLines(server: string, serviceUrl: string, clientId: string): readonly string[] {
  const known: Readonly<Record<string, string>> = {
    LATCHKEY_SERVICE_URL: serviceUrl,
    LATCHKEY_CLIENT_ID: clientId,
    COOKIE_SECRET: randomBytes(32).toString('base64url'),
  };
  const names = new Set([...server.matchAll(/process\.env\.(\w+)/g)].map(([, name = '']) => name));
  return [...names].map((name) => `${name}=${known[name] ?? ''}`);
}

/**
 * Returns where npm finds one of our packages: next to the file that this one was installed from, in this clone's
 * `packed/`, or on the registry. Until the first release, nobody owns our names there.
 */
function packageSource(name: string, folder: string): string {
  const manifest = createRequire(import.meta.url).resolve('@latchkey/cli/package.json');
  const { dependencies } = createRequire(import.meta.url)(manifest);
  const neighbour: string = dependencies['@latchkey/sandbox'];
  const isInstalled = /[\\/]node_modules[\\/]/.test(manifest);
  if (isInstalled && !neighbour.startsWith('file:')) return neighbour;
  const packed = isInstalled
    ? dirname(neighbour.slice('file:'.length))
    : resolve(dirname(manifest), '../../packed');
  return `file:${relative(folder, join(packed, `${name}.tgz`))}`;
}
