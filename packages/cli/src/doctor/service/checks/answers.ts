import type { Answer, Probe } from '../../http/probe.js';
import { type CheckResult, notChecked } from '../report/check.js';

type Fields = Readonly<Record<string, unknown>>;

/** Calls `read` with the answer. Without an answer, the check has no result. */
export async function withAnswer(
  probe: Promise<Probe>,
  read: (answer: Answer) => CheckResult | Promise<CheckResult>,
): Promise<CheckResult> {
  const sent = await probe;
  if (sent.kind === 'answer') return await read(sent.answer);
  return notChecked(`an answer of the service: ${sent.reason}.`);
}

/** Returns the fields of a JSON object, and none for any other value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

/** `status 404 with a JSON object`, for reports. Contains no value of the body. */
export function shapeOf({ status, json, headers }: Answer): string {
  if (status >= 300 && status < 400) return `status ${status}, a redirect`;
  if (json === undefined) return `status ${status} with ${headers.get('content-type') ?? 'no content type'}`;
  const names = Object.keys(fieldsOf(json));
  return `status ${status} with JSON (${names.length === 0 ? 'no fields' : names.slice(0, 8).join(', ')})`;
}
