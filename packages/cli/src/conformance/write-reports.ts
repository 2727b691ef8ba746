import { writeFileSync } from 'node:fs';
import type { Report } from '@latchkey/conformance';
import { CommandFailure } from '../command-line/command-failure.js';

/**
 * Writes a report as JUnit XML and as HTML, each if it has a path. Only the user can read a new file.
 *
 * @throws CommandFailure if a file cannot be written.
 */
export async function writeReports(
  report: Report,
  { junit, html }: { junit?: string; html?: string },
): Promise<void> {
  const { reportHtml, reportJunit } = await import('@latchkey/conformance');
  if (junit !== undefined) writeReport(junit, reportJunit(report));
  if (html !== undefined) writeReport(html, reportHtml(report));
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
