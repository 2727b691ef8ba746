import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Report } from '@latchkey/conformance';
import { CommandFailure, UsageError } from '../command-line/command-failure.js';

/**
 * Writes a report as JUnit XML, HTML or both, whichever has a path. Only the user can read a new file.
 *
 * @throws CommandFailure if a file can't be written.
 */
export async function writeReports(
  report: Report,
  { junit, html }: { junit?: string; html?: string },
): Promise<void> {
  const { reportHtml, reportJunit } = await import('@latchkey/conformance');
  if (junit !== undefined) writeReport(junit, reportJunit(report));
  if (html !== undefined) writeReport(html, reportHtml(report));
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
