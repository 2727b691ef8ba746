export type CheckResult =
  /** The service behaves as the packages of Latchkey assume. */
  | { readonly kind: 'ok'; readonly meaning: string }
  /** The service behaves otherwise. `action` names the setting to change. */
  | { readonly kind: 'differs'; readonly meaning: string; readonly action: string }
  /** The check needs a value that is missing, or the service did not answer. */
  | { readonly kind: 'not_checked'; readonly needs: string };

/** A check without side effects. */
export interface Check<Target> {
  /** Name in reports and in docs/live-service.md. */
  readonly id: string;
  /** Id of the assumption in docs/live-service.md, if the check concerns one. */
  readonly assumption?: string;
  run(target: Target): CheckResult | Promise<CheckResult>;
}

export interface CheckedFact {
  readonly id: string;
  readonly assumption: string | undefined;
  readonly result: CheckResult;
}

export const ok = (meaning: string): CheckResult => ({ kind: 'ok', meaning });
export const differs = (meaning: string, action: string): CheckResult => ({
  kind: 'differs',
  meaning,
  action,
});
export const notChecked = (needs: string): CheckResult => ({ kind: 'not_checked', needs });

/** Runs checks one after the other, so that the service receives one request at a time. */
export async function runChecks<Target>(
  checks: readonly Check<Target>[],
  target: Target,
): Promise<CheckedFact[]> {
  const facts: CheckedFact[] = [];
  for (const check of checks) {
    facts.push({ id: check.id, assumption: check.assumption, result: await check.run(target) });
  }
  return facts;
}
