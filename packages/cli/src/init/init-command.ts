import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { docsUrl } from '@latchkey/contract/constants';
import * as z from 'zod';
import type { CommandDefinition, Output } from '../command-line/command.js';
import { CommandFailure } from '../command-line/command-failure.js';
import { columns, printableLine, quoted } from '../command-line/text.js';
import { serviceUrl, settingsRule, toggle, visibleText } from '../command-line/values.js';
import { controlSettings } from '../control/control-client.js';
import { doctorSettings } from '../doctor/doctor-settings.js';
import { apply, planOf, readManifest, recorded, undo } from './changes.js';
import {
  type Choice,
  GUIDES,
  type Kind,
  type Project,
  projectOf,
  SANDBOX_URL,
  UNKNOWN_COMMUNITY,
} from './project.js';

const kinds = Object.keys(GUIDES) as [Kind, ...Kind[]];

export const initSettings = z
  .object({
    folder: visibleText
      .default('.')
      .meta({ isArgument: true, placeholder: 'folder', description: 'Folder of the site, which may exist.' }),
    kind: z.enum(kinds).exactOptional().meta({
      description: 'What to write: a static page, Express, or Next.js in front of Express.',
      defaultText: 'nextjs or express if package.json has it, else page',
    }),
    typescript: z.boolean().exactOptional().meta({
      description: 'Write TypeScript. A page has no build, so it is always JavaScript.',
      defaultText: 'true if the folder has a tsconfig.json',
    }),
    // "--no-typescript", as similar tools call it.
    noTypescript: z.literal(true).exactOptional().meta({ description: 'Write JavaScript.' }),
    serviceUrl: serviceUrl.exactOptional().meta({
      placeholder: 'url',
      defaultText: `the sandbox, ${SANDBOX_URL}`,
      description: 'Base URL of the service. Without a client id, that of a sandbox on this machine.',
    }),
    clientId: doctorSettings.shape.clientId.meta({
      group: 'Flags',
      placeholder: 'id',
      description: 'Client of your site at the service.',
    }),
    yes: toggle({ description: 'Ask nothing. A missing terminal does the same.' }),
    dryRun: toggle({ description: 'Print what would be written, and write nothing.' }),
    undo: toggle({
      description: 'Take back what earlier runs wrote. Files that you have edited since then are kept.',
    }),
    json: toggle({ description: 'Print JSON, and ask nothing.' }),
    token: controlSettings.shape.token.exactOptional(),
  })
  .check(
    settingsRule({
      reads: ['kind', 'typescript', 'noTypescript'],
      isMet: ({ kind, typescript, noTypescript }) =>
        typescript !== true || (kind !== 'page' && !noTypescript),
      error:
        '--typescript: a page has no build, so it is JavaScript. Choose --kind express or nextjs, or --no-typescript.',
    }),
    settingsRule({
      reads: ['serviceUrl', 'clientId'],
      isMet: ({ serviceUrl: url, clientId }) =>
        clientId === undefined ? url === undefined || isSandbox(url) : url !== undefined,
      error:
        '--service-url and --client-id belong together. Only a sandbox, http://127.0.0.1 with a port, needs no client id.',
    }),
  );

type Settings = z.output<typeof initSettings>;

const isSandbox = (url: string) => /^http:\/\/127\.0\.0\.1:\d+$/.test(url);

export const initCommand: CommandDefinition<typeof initSettings> = {
  name: 'init',
  summary: 'Writes a working site with sign-in, or adds Latchkey to yours.',
  settings: initSettings,
  examples: [
    'latchkey init',
    'latchkey init my-site --kind express --typescript',
    'latchkey init --service-url https://service.example --client-id oac_a1b2c3d4e5f60718293a4b5c',
    'latchkey init --undo',
  ],
  notes: `It asks for what no flag says. Existing files are kept; .env, .gitignore and package.json get what they lack.`,
  async run(settings, output) {
    const folder = resolve(settings.folder);
    if (existsSync(folder) && !statSync(folder).isDirectory()) {
      throw new CommandFailure(`${quoted(settings.folder)} is a file. Choose a folder, or another name.`);
    }
    if (settings.undo) return printUndone(folder, settings, output);
    const { stdin: input, stderr } = process;
    const canAsk = !settings.yes && !settings.json && input.isTTY && stderr.isTTY;
    const choice = await choiceOf(folder, settings, canAsk ? { input, output: stderr } : undefined);
    const project = await projectOf(choice);
    const plan = planOf(folder, project);
    const report = reportOf(choice, project, plan, settings);
    if (!settings.dryRun) apply(folder, plan.changes);
    output.print(report);
    return 0;
  },
};

/** Returns what the flags say, else what the user answers. Without a terminal, the answers are what the folder suggests. */
export async function choiceOf(folder: string, settings: Settings, terminal?: Terminal): Promise<Choice> {
  const { dependencies, devDependencies } = readManifest(folder);
  const installed = { ...dependencies, ...devDependencies };
  const given = settings.noTypescript ? false : settings.typescript;
  const isExpress = 'express' in installed || (given === true && terminal === undefined);
  const guess: Kind = 'next' in installed ? 'nextjs' : isExpress ? 'express' : 'page';
  const isTyped = existsSync(join(folder, 'tsconfig.json'));
  const yesOrNo = z.stringbool({ error: 'Answer yes or no.' });
  const kindOf = z.enum(kinds, `Answer ${kinds.join(', ')}.`);
  const choose = async (ask: Ask): Promise<Choice> => {
    const kind = settings.kind ?? (await ask('Which kind of site? page, express or nextjs', kindOf, guess));
    const typescript =
      kind !== 'page' && (given ?? (await ask('TypeScript? yes or no', yesOrNo, isTyped ? 'yes' : 'no')));
    const url =
      settings.serviceUrl ??
      (await ask('Which service? A sandbox on this machine, or the URL of yours', serviceUrl, SANDBOX_URL));
    const clientId =
      settings.clientId ??
      (isSandbox(url)
        ? undefined
        : await ask('Which client? Its id', doctorSettings.shape.clientId.unwrap(), 'oac_…'));
    const hasOwnServer =
      'express' in installed && !recorded(folder).some(({ path }) => path.startsWith('server.'));
    const hasExpress = kind === 'express' && hasOwnServer;
    const choice = { folder, kind, typescript, hasExpress, serviceUrl: url, token: settings.token };
    return { ...choice, ...(clientId !== undefined && { clientId }) };
  };
  return terminal === undefined
    ? await choose(async (_question, schema, otherwise) => schema.parse(otherwise))
    : await withQuestions(terminal, choose);
}

type Plan = ReturnType<typeof planOf>;

/** Returns what was written, and what to do next. */
function reportOf(choice: Choice, project: Project, { changes, kept }: Plan, settings: Settings): string {
  const run = commandsOf(choice, project);
  const open = 'http://localhost:3000';
  if (settings.json) {
    const written = changes.map(({ path }) => path);
    return JSON.stringify({ kind: choice.kind, written, kept: kept.map(({ path }) => path), run, open });
  }
  const rows = [
    ...(settings.dryRun ? [] : changes).map(
      ({ path, before }) => [before === undefined ? 'wrote' : 'added to', path] as const,
    ),
    ...kept.map(({ path }) => ['kept', path] as const),
  ];
  const signIn = choice.clientId === undefined ? 'click Sign in, choose Ada and Allow' : 'and click Sign in';
  const shown = [
    ...(settings.dryRun ? changes.map(({ path, text }) => blockOf(`Would write ${path}:`, text)) : []),
    ...(rows.length === 0 ? [] : [columns(rows)]),
    ...kept.map(({ path, text }) => blockOf(`${path} exists. Add what it lacks of this:`, text)),
    ...project.toAdd.map(({ path, text }) => blockOf(`Add to ${path}:`, text)),
    ...(choice.clientId === undefined ? [] : [serviceText(project)]),
    blockOf(run.length > 1 ? 'Run, each in a terminal of its own:' : 'Run:', run.join('\n')),
    choice.hasExpress
      ? `Then start your app with node --env-file=.env, ${signIn}.`
      : `Then open ${open}, ${signIn}.`,
    `To take everything back: npx --no latchkey init ${settings.folder === '.' ? '' : `${shellWord(settings.folder)} `}--undo`,
  ];
  return shown.join('\n\n');
}

function blockOf(title: string, text: string): string {
  return `${title}\n\n${text.trimEnd().replaceAll(/^(?=.)/gm, '  ')}`;
}

/** Returns what only the user knows about a service. */
function serviceText({ env, files }: Project): string {
  const empty = env.filter((line) => line.endsWith('=')).map((line) => line.slice(0, -1));
  const pages = files.filter(({ text }) => text.includes(UNKNOWN_COMMUNITY)).map(({ path }) => path);
  return [
    ...(empty.length === 0 ? [] : [`Fill in .env: ${empty.join(', ')}`]),
    ...(pages.length === 0 ? [] : [`Fill in ${UNKNOWN_COMMUNITY}: ${pages.join(', ')}`]),
    `Register http://localhost:3000 at the service, and see where the widget's files come from: ${docsUrl('going-live')}`,
  ].join('\n');
}

/** Lock files, each with the package manager that writes it. */
const LOCK_FILES = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' };

/** Returns the package manager of a project, whose lock file can be in a folder above. */
function packageManagerOf(folder: string): string {
  if (!existsSync(join(folder, 'package.json'))) return 'npm';
  for (let at = folder; ; at = dirname(at)) {
    const [, manager] = Object.entries(LOCK_FILES).find(([file]) => existsSync(join(at, file))) ?? [];
    if (manager !== undefined) return manager;
    const isLast = at === dirname(at) || existsSync(join(at, '.git'));
    if (isLast || existsSync(join(at, 'package-lock.json'))) return 'npm';
  }
}

/** If the user has a script with the name of ours, theirs stays and ours is written out. */
function commandsOf({ folder }: Choice, { manifest }: Project): string[] {
  const place = relative(process.cwd(), folder);
  const cd = place === '' ? [] : [`cd ${shellWord(place)}`];
  const { scripts = {} } = readManifest(folder);
  const manager = packageManagerOf(folder);
  const starts = Object.entries(manifest.scripts ?? {}).map(([name, script]) => {
    if ((scripts[name] ?? script) === script) return `${manager} ${name === 'start' ? '' : 'run '}${name}`;
    return script.startsWith('node ') ? script : `npx --no ${script}`;
  });
  const [first, ...others] = starts.map((start) => [start]);
  return [[`${manager} install`, ...(first ?? [])], ...others].map((commands) =>
    [...cd, ...commands].join(' && '),
  );
}

/** Returns a folder as part of a command: in quotes if a shell would split or expand it, and never like a flag. */
function shellWord(folder: string): string {
  const text = folder.startsWith('-') ? `./${folder}` : folder;
  if (/^[\w./\\:-]+$/.test(text)) return text;
  return process.platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

function printUndone(folder: string, { dryRun, json }: Settings, { print }: Output): number {
  const results = undo(folder, { isDry: dryRun });
  if (results.length === 0) {
    throw new CommandFailure(
      `Nothing to undo: latchkey init has written no file that is still in ${quoted(folder)}.`,
    );
  }
  if (json) print(JSON.stringify(results));
  else print(columns(results.map(({ path, action }) => [WORDS[action], printableLine(path)])));
  return 0;
}

const WORDS = { removed: 'removed', restored: 'restored', kept: 'kept, since you have edited it' } as const;

export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks until the answer is valid. An empty answer is the default. */
export type Ask = <Schema extends z.ZodType<unknown, string>>(
  question: string,
  schema: Schema,
  otherwise: string,
) => Promise<z.output<Schema>>;

/** @throws CommandFailure if the user ends it with Ctrl-C or Ctrl-D. */
async function withQuestions<Result>(
  terminal: Terminal,
  dialog: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const lines = createInterface({ ...terminal });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  const ask: Ask = async (question, schema, otherwise) => {
    for (;;) {
      const text = await lines.question(`${question} (${otherwise}) `, { signal: closed.signal });
      const answer = schema.safeParse(text.trim() || otherwise);
      if (answer.success) return answer.data;
      terminal.output.write(`  ${answer.error.issues[0]?.message}\n`);
    }
  };
  try {
    return await dialog(ask);
  } catch (error) {
    if (closed.signal.aborted) throw new CommandFailure('Nothing was written.', { cause: error });
    throw error;
  } finally {
    lines.close();
  }
}
