import type { Report } from '@latchkey/conformance';

/** Report as one line of JSON: each rule with its result, without the messages that prove it. */
export function reportJson({ results, side, subject, startedAt, finishedAt }: Report): string {
  return JSON.stringify({
    ...{ side, subject },
    startedAt: new Date(startedAt).toISOString(),
    finishedAt: new Date(finishedAt).toISOString(),
    results: results.map(({ id, outcome: { kind, ...details } }) => ({ id, outcome: kind, ...details })),
  });
}
