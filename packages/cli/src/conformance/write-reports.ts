import { writeFileSync } from 'node:fs';
import type { Report } from '@latchkey/conformance';
import { CommandFailure } from '../command-line/command-failure.js';

/**
 * Writes a report as JUnit XML and as HTML, each if it has a path.
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
    writeFileSync(path, text);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    throw new CommandFailure(`The report cannot be written to ${path} (${code}).`, { cause: error });
  }
}
