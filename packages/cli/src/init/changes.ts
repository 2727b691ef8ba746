import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { parseEnv } from 'node:util';
import * as z from 'zod';
import { CommandFailure } from '../command-line/command-failure.js';
import { OWN_FOLDER } from '../command-line/files.js';
import { quoted } from '../command-line/text.js';
import type { Project, TextFile } from './project.js';

const RECORD = join(OWN_FOLDER, 'init.json');

/** A file that was written: the hash of its text, the previous text if it existed, and the first folder that was made for it. */
const record = z.object({
  changes: z.array(
    z.object({
      path: z.string(),
      hash: z.string(),
      before: z.string().exactOptional(),
      folder: z.string().exactOptional(),
    }),
  ),
});

/** A file to write, and its previous text if it exists. */
export interface Change extends TextFile {
  readonly before?: string | undefined;
}

/** Returns the changes that put a project into a folder, and the files that already exist with different text and stay. */
export function planOf(
  folder: string,
  { files, env, manifest, ignored }: Project,
): { changes: readonly Change[]; kept: readonly TextFile[] } {
  const missing = files.filter(({ path }) => !existsAs(folder, path));
  const kept = files.filter(
    (file) => !missing.includes(file) && !bytesOf(folder, file.path)?.equals(Buffer.from(file.text)),
  );
  const variables = Object.keys(parseEnv(textOf(folder, '.env') ?? ''));
  const paths = (textOf(folder, '.gitignore') ?? '').split(/\r?\n/).map((line) => line.replace(/\/$/, ''));
  const added = [
    withLines(
      folder,
      '.env',
      env.filter((line) => !variables.includes(line.replace(/=.*/, ''))),
    ),
    withLines(
      folder,
      '.gitignore',
      ignored.filter((path) => !paths.includes(path.replace(/\/$/, ''))),
    ),
    withEntries(folder, manifest),
  ];
  return { changes: [...missing, ...added.filter(({ before, text }) => text !== (before ?? ''))], kept };
}

/** True if a file exists with any extension for code: `server.js` counts for `server.mjs`. */
function existsAs(folder: string, path: string): boolean {
  const { dir, base, name } = parse(path);
  const files = existsSync(join(folder, dir)) ? readdirSync(join(folder, dir)) : [];
  return files.some((file) => file === base || (parse(file).name === name && /\.[cm]?[jt]sx?$/.test(file)));
}

function withLines(folder: string, path: string, lines: readonly string[]): Change {
  const before = textOf(folder, path);
  const newline = newlineOf(before);
  const start = (before ?? '').replace(/[^\n]$/, `$&${newline}`);
  return { path, before, text: start + lines.map((line) => line + newline).join('') };
}

function withEntries(folder: string, manifest: Project['manifest']): Change {
  const before = textOf(folder, 'package.json');
  const name = parse(folder)
    .base.toLowerCase()
    .replaceAll(/[^a-z\d-]+/g, '-');
  const merged = before === undefined ? { name, private: true } : readManifest(folder);
  const installed = { ...merged.dependencies, ...merged.devDependencies };
  // npm 11 puts it into every new `package.json`, and Next.js then can't build a page. Without it, Node.js reads .js
  // files the same way.
  let isSame = !('next' in (manifest.dependencies ?? {}) && merged.type === 'commonjs');
  if (!isSame) delete merged.type;
  for (const [section, wanted] of Object.entries(manifest)) {
    const known = section === 'scripts' ? (merged.scripts ?? {}) : installed;
    const missing = Object.entries(wanted).filter(([key]) => !(key in known));
    if (missing.length === 0) continue;
    isSame = false;
    merged[section] = { ...merged[section], ...Object.fromEntries(missing) };
  }
  if (isSame) return { path: 'package.json', before, text: before ?? '' };
  const [, indent = '  '] = /^([ \t]+)"/m.exec(before ?? '') ?? [];
  const mark = before?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const end = before === undefined || before.endsWith('\n') ? '\n' : '';
  const text = `${mark}${JSON.stringify(merged, null, indent)}${end}`.replaceAll('\n', newlineOf(before));
  return { path: 'package.json', before, text };
}

const BYTE_ORDER_MARK = '\u{feff}';

const newlineOf = (text = ''): string => (text.includes('\r\n') ? '\r\n' : '\n');

const section = z.looseObject({}).nullish();
const npmManifest = z.looseObject({ scripts: section, dependencies: section, devDependencies: section });

/** Reads the folder's `package.json`. Empty if there is none. */
// biome-ignore lint/suspicious/noExplicitAny: what commands don't know stays as it is.
export function readManifest(folder: string): Record<string, any> {
  const fail = (problem: string, cause?: unknown) =>
    new CommandFailure(`${quoted(join(folder, 'package.json'))} ${problem}. Nothing was written.`, { cause });
  let json: unknown;
  const text = (textOf(folder, 'package.json') ?? '{}').replace(BYTE_ORDER_MARK, '');
  try {
    json = JSON.parse(text) ?? {};
  } catch (cause) {
    throw fail("isn't valid JSON", cause);
  }
  const { data, error } = npmManifest.safeParse(json);
  // Not zod's copy, which begins with the sections.
  if (data !== undefined) return Object(json);
  throw fail(`isn't a manifest of npm: ${error.issues[0]?.path.join('.') || 'it'} must be an object`);
}

/** Writes the changes, and records them for {@link undo}. */
export function apply(folder: string, changes: readonly Change[]): void {
  const done = recorded(folder);
  const earlier = done.length;
  onDisk(
    () => {
      for (const { path } of [...changes, { path: RECORD }]) checkInside(folder, path);
      mkdirSync(join(folder, OWN_FOLDER), { recursive: true });
      for (const { path, before, text } of changes) {
        const made = mkdirSync(dirname(join(folder, path)), { recursive: true });
        // Secrets are for the user only. A new file doesn't replace one that appeared in the meantime.
        const mode = path === '.env' ? 0o600 : 0o666;
        writeFileSync(join(folder, path), text, { mode, flag: before === undefined ? 'wx' : 'w' });
        done.push({
          ...{ path, hash: hashOf(text) },
          ...(before !== undefined && { before }),
          ...(made !== undefined && { folder: relative(folder, made) }),
        });
        writeRecord(folder, done);
      }
    },
    () => (done.length > earlier ? ' Take back what was written with latchkey init --undo.' : ''),
  );
}

function writeRecord(folder: string, changes: z.output<typeof record>['changes']): void {
  writeFileSync(join(folder, RECORD), JSON.stringify({ changes }, null, 2), { mode: 0o600 });
}

/** What {@link undo} does with a file. A file that was edited since is kept. */
export interface Undone {
  readonly path: string;
  readonly action: 'removed' | 'restored' | 'kept';
}

/** Undoes the recorded changes, the last one first. The record of a kept file stays. */
export function undo(folder: string, { isDry }: { isDry: boolean }): readonly Undone[] {
  const changes = recorded(folder).reverse();
  return onDisk(() => {
    for (const { path } of changes) checkInside(folder, path);
    const kept: typeof changes = [];
    const results = changes.flatMap((change): Undone[] => {
      const { path, hash, before, folder: made } = change;
      const now = bytesOf(folder, path);
      if (now === undefined) return [];
      if (hashOf(now) !== hash) {
        kept.unshift(change);
        return [{ path, action: 'kept' }];
      }
      if (!isDry && before !== undefined) writeFileSync(join(folder, path), before);
      if (!isDry && before === undefined) removeWithFolders(folder, path, made);
      return [{ path, action: before === undefined ? 'removed' : 'restored' }];
    });
    if (!isDry && kept.length > 0) writeRecord(folder, kept);
    else if (!isDry && results.length > 0) removeWithFolders(folder, RECORD, OWN_FOLDER);
    return results;
  });
}

/** A stranger's folder can contain a forged record, and links that lead out of the folder or nowhere. */
function checkInside(folder: string, path: string): void {
  const file = resolve(folder, path);
  let existing = file;
  while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
  const isThere = existsSync(existing);
  const isInside =
    !existsSync(folder) ||
    (isThere && join(realpathSync(existing), sep).startsWith(join(realpathSync(folder), sep)));
  if (file.startsWith(join(folder, sep)) && isInside) return;
  const reason = isThere ? "isn't in the folder" : "is a link to a file that doesn't exist";
  throw new CommandFailure(`${quoted(path)} ${reason}. Nothing was changed.`);
}

/** Removes a file, and the folders made for it if they're empty then. `made` is the first of them. */
function removeWithFolders(folder: string, path: string, made: string | undefined): void {
  rmSync(join(folder, path));
  if (made === undefined) return;
  for (
    let each = dirname(path);
    each !== '.' && !made.startsWith(join(each, sep)) && readdirSync(join(folder, each)).length === 0;
    each = dirname(each)
  ) {
    rmdirSync(join(folder, each));
  }
}

export function recorded(folder: string): z.output<typeof record>['changes'] {
  const text = textOf(folder, RECORD);
  try {
    return text === undefined ? [] : record.parse(JSON.parse(text)).changes;
  } catch (cause) {
    throw new CommandFailure(
      `${quoted(join(folder, RECORD))} isn't a record of latchkey init. Nothing was changed.`,
      { cause },
    );
  }
}

function bytesOf(folder: string, path: string): Buffer | undefined {
  const file = join(folder, path);
  return onDisk(() => (existsSync(file) ? readFileSync(file) : undefined), undefined, file);
}

function textOf(folder: string, path: string): string | undefined {
  const bytes = bytesOf(folder, path);
  try {
    return bytes && new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new CommandFailure(`${quoted(join(folder, path))} isn't text in UTF-8. Nothing was written.`, {
      cause,
    });
  }
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** @param file what errors call the file if the system's error doesn't, as if it's a folder. */
function onDisk<Result>(action: () => Result, advice = () => '', file = ''): Result {
  try {
    return action();
  } catch (cause) {
    if (cause instanceof CommandFailure) throw cause;
    const { code = 'unknown error', path = file } = cause as NodeJS.ErrnoException;
    throw new CommandFailure(`${quoted(path)} can't be read or written (${code}).${advice()}`, { cause });
  }
}
