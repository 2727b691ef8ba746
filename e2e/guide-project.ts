import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { replaceAddresses } from './guide-addresses.js';

const ROOT = join(import.meta.dirname, '..');
/** Packages that a bundler must find inside the project, as after an installation from the registry. */
const COPIED = ['widget', 'oauth', 'contract'];

/** Returns the files that a guide shows: code blocks with a name behind the language. */
export function filesOf(guide: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(ROOT, 'docs', `${guide}.md`), 'utf8');
  return new Map(
    [...text.matchAll(/^```\w+ ([^\n]+)\n(.*?)^```/gms)].map(([, name = '', code = '']) => [name, code]),
  );
}

/** A folder as a reader of a guide has it: files, and installed packages. */
export interface GuideProject {
  write(files: Iterable<readonly [name: string, text: string]>): void;
  /** Runs a command of the folder until it ends or the project is removed. */
  run(command: string, args: readonly string[], env?: Record<string, string>): RunningProgram;
  remove(): Promise<void>;
}

export interface RunningProgram {
  printed(): string;
  /** Exit code of the program. */
  readonly ended: Promise<number | null>;
}

/**
 * Creates an empty folder with this repository's packages and their dependencies installed.
 * @param addresses values of the test, by the address or port of the guide that each replaces in the files
 */
export function createProject(addresses: Readonly<Record<string, string>>): GuideProject {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-guide-'));
  install(folder);
  const children: ChildProcess[] = [];
  return {
    write(files) {
      for (const [name, text] of files) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), replaceAddresses(text, addresses));
      }
    },
    run(command, args, env = {}) {
      const bin = join(ROOT, 'node_modules/.bin');
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...process.env, NODE_ENV: undefined, PATH: `${bin}:${process.env.PATH}`, ...env },
      });
      children.push(child);
      let printed = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text;
        });
      }
      return {
        printed: () => printed,
        ended: new Promise((resolve) => child.once('close', (code) => resolve(code))),
      };
    },
    async remove() {
      for (const child of children.filter(({ exitCode }) => exitCode === null)) {
        const ended = new Promise((resolve) => child.once('close', resolve));
        child.kill('SIGKILL');
        await ended;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function install(folder: string): void {
  const installed = join(ROOT, 'node_modules');
  const target = join(folder, 'node_modules');
  mkdirSync(join(target, '@latchkey'), { recursive: true });
  for (const name of readdirSync(installed).filter(
    (entry) => !entry.startsWith('.') && entry !== '@latchkey',
  )) {
    symlinkSync(join(installed, name), join(target, name), 'dir');
  }
  for (const name of readdirSync(join(installed, '@latchkey'))) {
    const source = join(ROOT, 'packages', name);
    if (!COPIED.includes(name)) {
      symlinkSync(join(installed, '@latchkey', name), join(target, '@latchkey', name), 'dir');
      continue;
    }
    for (const part of ['package.json', 'dist']) {
      cpSync(join(source, part), join(target, '@latchkey', name, part), { recursive: true });
    }
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'my-site', private: true }));
}
