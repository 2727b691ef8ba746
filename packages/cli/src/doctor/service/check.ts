import type { Answer, Probe } from '../http/probe.js';
import type { ServiceTarget } from './service-target.js';

export type CheckResult =
  /** The service behaves as the packages of Latchkey assume. */
  | { readonly kind: 'ok'; readonly meaning: string }
  /** The service behaves otherwise. `action` names the setting to change. */
  | { readonly kind: 'differs'; readonly meaning: string; readonly action: string }
  /** The check needs a value that is missing, or the service did not answer. */
  | { readonly kind: 'not_checked'; readonly needs: string };

/** A check without side effects. */
export interface Check {
  /** Name in reports and in docs/live-service.md. */
  readonly id: string;
  /** Id of the assumption in docs/live-service.md, if the check concerns one. */
  readonly assumption?: string;
  /** @throws CheckEnd */
  run(target: ServiceTarget): CheckResult | Promise<CheckResult>;
}

export const ok = (meaning: string): CheckResult => ({ kind: 'ok', meaning });
export const differs = (meaning: string, action: string): CheckResult => ({
  kind: 'differs',
  meaning,
  action,
});
export const notChecked = (needs: string): CheckResult => ({ kind: 'not_checked', needs });

/** Ends a check from within a function that it calls. */
export class CheckEnd extends Error {
  readonly result: CheckResult;

  constructor(result: CheckResult) {
    super(result.kind);
    this.result = result;
  }
}

/** @throws CheckEnd without an answer: the check has no result then. */
export function answered(probe: Probe): Answer {
  if (probe.kind === 'answer') return probe.answer;
  throw new CheckEnd(notChecked(`an answer of the service: ${probe.reason}.`));
}

/** Returns the fields of a JSON object, and none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, unknown>>) : {};
}

/** `status 404 with a JSON object`, for reports. Contains no value of the body. */
export function shapeOf({ status, json, headers }: Answer): string {
  if (status >= 300 && status < 400) return `status ${status}, a redirect`;
  if (json === undefined) return `status ${status} with ${headers.get('content-type') ?? 'no content type'}`;
  const names = Object.keys(fieldsOf(json));
  return `status ${status} with JSON (${names.length === 0 ? 'no fields' : names.slice(0, 8).join(', ')})`;
}
