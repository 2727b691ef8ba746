import {
  accessSync,
  appendFileSync,
  constants,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { CheckResult, Report } from '@latchkey/conformance';
import { fixturesSchema } from '@latchkey/conformance/fixtures';
import { docsUrl, jsonOf } from '@latchkey/contract/constants';
import type { CommandDefinition, Output } from '../command-line/command.js';
import { CommandFailure, UsageError } from '../command-line/command-failure.js';
import { printable } from '../command-line/text.js';
import { type ConformanceSettings, conformanceSettings } from './conformance-settings.js';

export const conformanceCommand: CommandDefinition<typeof conformanceSettings> = {
  name: 'conformance',
  summary: 'Checks a service against each rule of the specification.',
  settings: conformanceSettings,
  examples: [
    'latchkey conformance --base-url https://service.example',
    'latchkey conformance --base-url http://127.0.0.1:4400 --fixtures fixtures.json --destructive --html report.html',
    'latchkey conformance --base-url https://service.example --only api-key,client-identity --resume run.jsonl',
    'latchkey conformance --list',
  ],
  notes: `Without --destructive it sends GET requests only, at most --rate each second. ${docsUrl('conformance')} describes the fixtures. The exit code is 0 if no check failed, 1 if one did, 2 if none could run or for an error in the command line.`,
  async run(settings, output) {
    const { baseUrl, list } = settings;
    if (list || baseUrl === undefined) return await listChecks(settings, output);
    return await runChecks({ ...settings, baseUrl }, output);
  },
};

async function listChecks({ only }: ConformanceSettings, { print }: Output): Promise<number> {
  const { ruleOf } = await import('@latchkey/conformance');
  const { selectChecks, UNOBSERVABLE_RULES } = await import('@latchkey/conformance/provider');
  for (const { id, mode } of selectChecks(namesOf(only)))
    print(`${mode.padEnd(12)}  ${id}  ${ruleOf(id).text}`);
  if (only.length > 0) return 0;
  for (const [id, reason] of Object.entries(UNOBSERVABLE_RULES)) print(`unobservable  ${id}  ${reason}`);
  return 0;
}

async function runChecks(
  settings: ConformanceSettings & { baseUrl: string },
  output: Output,
): Promise<number> {
  const { baseUrl, destructive, rate, resume, seed } = settings;
  const { runProviderChecks, selectChecks } = await import('@latchkey/conformance/provider');
  const only = namesOf(settings.only);
  for (const name of only) {
    if (selectChecks([name]).length === 0)
      throw new UsageError([`--only: no check has the id or area ${name}.`]);
  }
  checkReportPaths(settings);
  const state = resume === undefined ? undefined : openRunState(resume, baseUrl);
  output.warn(
    destructive
      ? `Service: ${baseUrl}. The checks create and change data there.`
      : `Service: ${baseUrl}. The checks send GET requests only.`,
  );
  const report = await runProviderChecks({
    baseUrl,
    destructive,
    rate,
    only,
    fixtures: withApiKey(settings),
    done: state?.done ?? [],
    onResult: (result) => state?.add(result),
    ...(seed !== undefined && { seed }),
  });
  return await writeReports(report, settings, { print: output.print, asJson: JSON.stringify });
}

/** Adds the environment's API key to the fixtures. With just a key, only a few things can be checked. */
function withApiKey({ fixtures = fixturesSchema.parse({}), apiKey }: ConformanceSettings) {
  const full = fixtures.keys.full ?? apiKey;
  return { ...fixtures, keys: { ...fixtures.keys, ...(full !== undefined && { full }) } };
}

/** Returns ids and areas. Each flag can have several, separated by commas. */
export function namesOf(only: readonly string[]): string[] {
  return only.flatMap((names) => names.split(',')).filter((name) => name !== '');
}

/** The fixtures may have changed, so checks that didn't run are repeated. @throws CommandFailure */
function openRunState(path: string, baseUrl: string) {
  const isNew = !existsSync(path);
  const done = isNew ? [] : readState(path, baseUrl);
  if (isNew) append(path, { baseUrl });
  const known = new Set(done.map(({ id }) => id));
  return {
    done,
    add(result: CheckResult) {
      if (isFinal(result) && !known.has(result.id)) append(path, result);
    },
  };
}

function isFinal({ outcome }: CheckResult): boolean {
  return outcome.kind === 'passed' || outcome.kind === 'failed';
}

function append(path: string, line: object): void {
  // Secrets are masked, but the file still shows what the service contains.
  onState(path, 'written', () => appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 }));
}

function readState(path: string, baseUrl: string): CheckResult[] {
  const [head = '', ...lines] = onState(path, 'read', () => readFileSync(path, 'utf8')).split('\n');
  const about = jsonOf(head) as { baseUrl?: unknown } | undefined;
  if (about?.baseUrl !== baseUrl) {
    throw new CommandFailure(`${path} has no results of ${baseUrl}. Choose another file with --resume.`);
  }
  // A killed run can leave half a line.
  return lines.flatMap((line) => {
    const result = jsonOf(line) as CheckResult | undefined;
    return result === undefined ? [] : [result];
  });
}

function onState<Result>(path: string, verb: 'read' | 'written', work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`--resume: ${path} cannot be ${verb} (${code}).`, { cause: error });
  }
}

/** Prints a report and writes it to files, which only the user can read. Returns the exit code. */
export async function writeReports(
  report: Report,
  { json, verbose, junit, html }: { json: boolean; verbose: boolean; junit?: string; html?: string },
  { print, asJson }: Pick<Output, 'print'> & { asJson(report: Report): string },
): Promise<number> {
  const { exitCode, reportHtml, reportJunit, reportText } = await import('@latchkey/conformance');
  // Printed first: if the file can't be written, the result isn't lost.
  print(json ? asJson(report) : printable(reportText(report, { verbose })));
  if (junit !== undefined) writeReport(junit, reportJunit(report));
  if (html !== undefined) writeReport(html, reportHtml(report));
  return exitCode(report);
}

/** Checks before a run, which can take minutes, that its reports can be written. @throws UsageError */
export function checkReportPaths({ junit, html }: { junit?: string; html?: string }): void {
  const errors = Object.entries({ junit, html }).flatMap(([flag, path]) => {
    const reason = path === undefined ? undefined : reasonAgainst(path);
    return reason === undefined ? [] : [`--${flag}: ${path} cannot be written (${reason}).`];
  });
  if (errors.length > 0) throw new UsageError(errors);
}

function reasonAgainst(path: string): string | undefined {
  try {
    if (existsSync(path) && statSync(path).isDirectory()) return 'it is a folder';
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown error';
  }
}

function writeReport(path: string, text: string): void {
  try {
    // Secrets are masked, but the report still shows what the service contains.
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`The report cannot be written to ${path} (${code}).`, { cause: error });
  }
}
