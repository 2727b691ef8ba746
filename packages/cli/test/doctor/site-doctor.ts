import type { ShownFinding } from '../../src/doctor/findings.js';
import { latchkey } from '../call.js';

/** Result of `latchkey doctor --site --json`. */
export interface SiteRun {
  readonly code: number;
  readonly findings: readonly ShownFinding[];
  readonly changes: readonly { readonly kind: string; readonly text: string }[];
  readonly rejected: readonly string[];
  readonly sites: readonly string[];
  /** Codes of the findings, in alphabetical order. */
  readonly codes: readonly string[];
  /** Everything that the command printed. */
  readonly text: string;
  finding(code: string): ShownFinding | undefined;
}

/** Runs `latchkey doctor --site` in this process. */
export async function siteDoctor(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<SiteRun> {
  const { code, out, err } = await latchkey(['doctor', ...args, '--json'], env);
  if (out === '') throw new Error(err);
  const report = JSON.parse(out) as Pick<SiteRun, 'findings' | 'changes' | 'rejected' | 'sites'>;
  const { findings } = report;
  return {
    code,
    ...report,
    codes: [...new Set(findings.map((finding) => finding.code))].sort(),
    text: `${out}\n${err}`,
    finding: (name) => findings.find((finding) => finding.code === name),
  };
}
