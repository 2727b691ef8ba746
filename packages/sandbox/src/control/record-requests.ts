import { pathsOf } from '@latchkey/contract/constants';
import type { Clock, RouteContext } from '@latchkey/server';
import type { RequestHandler } from 'express';
import { changeCalls } from './faults/change-call.js';
import type { FaultList } from './faults/fault-list.js';
import { endpointFinder } from './requests/endpoint-of.js';
import { interceptRequests } from './requests/intercept.js';
import { createExchangeRedactor } from './requests/redact-exchange.js';
import type { Replays } from './requests/replay-requests.js';
import { type RequestLog, type RequestSummary, summaryOf } from './requests/request-log.js';

/** Parts that record a request. */
export interface RecordingParts {
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly log: RequestLog;
  readonly replays: Replays;
  readonly faults: FaultList;
  /** Runs after a request has been recorded. */
  onRecord(summary: RequestSummary): void;
}

/** Returns the handler that records each request to a server in the log, and applies the faults to it. */
export function recordRequests(
  { clock, realClock, log, replays, faults, onRecord }: RecordingParts,
  { db, serviceNames: names }: RouteContext,
): RequestHandler {
  const findEndpoint = endpointFinder(pathsOf(names));
  const redactor = createExchangeRedactor(names);
  return interceptRequests(
    { db, clock, realClock, names, findEndpoint, redactor },
    {
      change: changeCalls(faults, { db, findEndpoint }),
      begin(request) {
        const store = log.begin();
        const replay = replays.take(request);
        return (entry, raw) => {
          const stored = store({ ...entry, replayOf: replay?.of ?? null }, raw);
          const summary = stored && summaryOf(stored);
          if (summary !== undefined) onRecord(summary);
          replay?.done(summary);
        };
      },
    },
  );
}
