/** What is known of a call that failed. */
export interface FailureFacts {
  readonly endpoint: string;
  /** As it was sent: method and URL. */
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

/** Writes what a report quotes (spec, "Retry rules", rule 3), one fact a line; what is not known is said to be none. */
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
