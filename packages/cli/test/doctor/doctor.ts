import { latchkey } from '../call.js';

/** Result of a check in the JSON report. */
export interface ReportedCheck {
  readonly id: string;
  readonly assumption?: string;
  readonly section?: string;
  readonly result: 'ok' | 'differs' | 'not_checked';
  readonly meaning?: string;
  readonly action?: string;
  readonly needs?: string;
}

export interface DoctorRun {
  readonly code: number;
  /** Everything that the command printed. */
  readonly text: string;
  readonly report: {
    service: string;
    environment: string;
    names: Record<string, string>;
    checks: ReportedCheck[];
    differs: boolean;
  };
  check(id: string): ReportedCheck | undefined;
  /** Ids of the checks with this result. */
  ids(result: ReportedCheck['result']): string[];
}

/** Runs `latchkey doctor --json` in this process. */
export async function doctor(
  service: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<DoctorRun> {
  const { code, out, err } = await latchkey(['doctor', '--service', service, '--json', ...args], env);
  const report = JSON.parse(out) as DoctorRun['report'];
  return {
    code,
    text: `${out}\n${err}`,
    report,
    check: (id) => report.checks.find((check) => check.id === id),
    ids: (result) => report.checks.filter((check) => check.result === result).map(({ id }) => id),
  };
}
