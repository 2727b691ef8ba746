// Finds or installs a program of the operating system that tests need. Order: environment variable, the PATH, apt-get.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { HAS_APT, installPackages } from './apt.mjs';
import { run } from './command.mjs';

/** Folders of system programs that the PATH of a user may lack. */
const FOLDERS = ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin', '/opt/homebrew/bin'];

/**
 * Finds or installs a program.
 * @param {object} program
 * @param {string} program.title name for messages
 * @param {readonly string[]} program.names file names, the preferred one first
 * @param {string} program.debianPackage package that contains it
 * @param {string} program.variable environment variable with its path
 * @param {readonly string[]} [program.versionArguments] arguments with which it prints its version and ends. @default ['--version']
 * @returns {Promise<string>} path of a program that prints its version
 * @throws {Error} if no program starts and none can be installed
 */
export async function ensureProgram(program) {
  const { title, debianPackage, variable } = program;
  const named = process.env[variable];
  if (named !== undefined && named !== '') {
    if (await starts(named, program)) return named;
    throw new Error(`${variable}: ${named} does not start.`);
  }
  const found = await firstThatStarts(program);
  if (found !== undefined) return found;
  if (HAS_APT) {
    console.log(`No ${title} found. Installing it for the tests…`);
    await installPackages([debianPackage]);
    const installed = await firstThatStarts(program);
    if (installed !== undefined) return installed;
  }
  throw new Error(
    `Found no ${title} that starts, and could not install one. Install ${title} and set ${variable} to its path.`,
  );
}

async function firstThatStarts(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...FOLDERS];
  for (const name of program.names) {
    for (const folder of folders) {
      const path = join(folder, name);
      if (folder !== '' && existsSync(path) && (await starts(path, program))) return path;
    }
  }
  return undefined;
}

async function starts(path, { versionArguments = ['--version'] }) {
  const { code } = await run(path, versionArguments, { quiet: true });
  return code === 0;
}
