import { fixturesSchema } from '@latchkey/conformance/fixtures';
import type { CommandDefinition, Output } from '../command-line/command.js';
import { printable } from '../command-line/printable.js';
import { UsageError } from '../command-line/usage-error.js';
import { type ConformanceSettings, conformanceSettings } from './conformance-settings.js';
import { openRunState } from './run-state.js';
import { checkReportPaths, writeReports } from './write-reports.js';

/** `latchkey conformance` */
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
  notes:
    'Without --destructive it sends GET requests only, at most --rate each second. docs/conformance.md describes the fixtures. The exit code is 0 if no check failed, 1 if one did, 2 if none could run or for an error in the command line.',
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
  const { baseUrl, destructive, json, rate, resume, seed, verbose } = settings;
  const { exitCode, reportText } = await import('@latchkey/conformance');
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
  // First, so that a file that cannot be written loses no result.
  output.print(json ? JSON.stringify(report) : printable(reportText(report, { verbose })));
  await writeReports(report, settings);
  return exitCode(report);
}

/** Fixtures with the key of the environment. Everything can be checked with a key and nothing else, but little of it. */
function withApiKey({ fixtures = fixturesSchema.parse({}), apiKey }: ConformanceSettings) {
  const full = fixtures.keys.full ?? apiKey;
  return { ...fixtures, keys: { ...fixtures.keys, ...(full !== undefined && { full }) } };
}

/** Ids and areas. Each flag can name several, separated by commas. */
function namesOf(only: readonly string[]): string[] {
  return only.flatMap((names) => names.split(',')).filter((name) => name !== '');
}
