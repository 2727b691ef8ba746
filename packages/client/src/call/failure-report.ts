/** Facts of a failed call. */
export interface FailureFacts {
  readonly endpoint: string;
  /** Method and URL of the request. */
  readonly request?: string | undefined;
  readonly time: string;
  readonly attempts: number;
  readonly status?: number | undefined;
  readonly errorCode?: string | undefined;
  readonly serviceMessage?: string | undefined;
  readonly correlationKey?: string | undefined;
  readonly logUrl?: string | undefined;
  readonly traceId?: string | undefined;
}

/** Formats a report of a failed call, one fact per line (spec, "Retry rules", rule 3). */
export function failureReport(message: string, facts: FailureFacts): string {
  const lines: [string, string | number | undefined][] = [
    ['endpoint', facts.request ?? facts.endpoint],
    ['UTC time', facts.time],
    ['status', facts.status],
    ['errorCode', facts.errorCode],
    ['message', facts.serviceMessage],
    ['correlationKey', facts.correlationKey],
    ['logUrl', facts.logUrl],
    ['trace id sent', facts.traceId],
    ['attempts', facts.attempts],
  ];
  return [message, ...lines.map(([name, value]) => `${name}: ${value ?? 'none'}`)].join('\n');
}
