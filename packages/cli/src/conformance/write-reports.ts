import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Report } from '@latchkey/conformance';
import type { Output } from '../command-line/command.js';
import { CommandFailure, UsageError } from '../command-line/command-failure.js';
import { printable } from '../command-line/text.js';

/**
 * Prints a report, and writes it as JUnit XML, HTML or both, whichever has a path. Only the user can read a new file.
 *
 * @param asJson returns what `--json` prints.
 * @returns the exit code.
 * @throws CommandFailure if a file can't be written.
 */
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

/**
 * Checks before a run, which can take minutes, that its reports can be written.
 *
 * @throws UsageError that lists each path that can't.
 */
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
