import { pathsOf } from '@latchkey/contract/constants';
import type { Clock, RequestInterceptor, RouteContext, RunningServer } from '@latchkey/server';
import type { SandboxClock } from '../clock/sandbox-clock.js';
import type { ReceivedMail } from '../mailbox/sandbox-mailbox.js';
import { changeCalls } from './faults/change-call.js';
import { FaultList, type Faults } from './faults/fault-list.js';
import { endpointFinder } from './requests/endpoint-of.js';
import { interceptRequests } from './requests/intercept.js';
import { createExchangeRedactor } from './requests/redact-exchange.js';
import { RequestLog, summaryOf } from './requests/request-log.js';
import { createEventHub, type EventHub } from './stream/event-hub.js';

import { createTimeline, type Timeline } from './timeline/timeline.js';

/** Tools of a sandbox for tests and developers. The control API offers the same over HTTP. */
export interface SandboxControl {
  /** Newest requests, without secrets. */
  readonly requests: Pick<RequestLog, 'list' | 'find' | 'clear'>;
  /** Faults of calls, for tests of what a caller does then. */
  readonly faults: Faults;
  /** Clock of the service. */
  readonly clock: Timeline;
  /** Events as they happen: requests, deliveries, mail, clock changes, resets. */
  readonly events: Pick<EventHub, 'subscribe' | 'since'>;
}

/** Parts of the sandbox that the tools use. */
export interface ControlNeeds {
  readonly clock: SandboxClock;
  /** Clock that the sandbox's clock runs ahead of. */
  readonly realClock: Clock;
}

/** Tools, with the functions by which the sandbox connects them to the server. */
export interface ConnectedControl {
  readonly control: SandboxControl;
  readonly hub: EventHub;
  readonly log: RequestLog;
  readonly intercept: RequestInterceptor;
  /** Connects the tools with the server, once it runs. */
  attach(server: RunningServer): void;
  /** Returns the running server's parts. */
  context(): RouteContext;
  noteMail(mail: ReceivedMail): void;
}

/** Creates the tools of a sandbox that has not started yet. */
export function createControl({ clock, realClock }: ControlNeeds): ConnectedControl {
  const hub = createEventHub();
  const log = new RequestLog();
  const faults = new FaultList();
  let running: RouteContext | undefined;
  let server: RunningServer | undefined;
  const context = () => {
    if (running === undefined) throw new Error('The sandbox has not started.');
    return running;
  };
  const timeline = createTimeline({
    clock,
    realClock,
    db: () => context().db,
    runDueWork: () => context().runDueWork(),
    deliverDue: async () => await server?.runBackgroundWork(),
    onMove: (reading) => hub.publish('clock', reading),
  });
  return {
    attach(started) {
      server = started;
    },
    control: { requests: log, events: hub, clock: timeline, faults },
    hub,
    log,
    context,
    intercept(routeContext) {
      running = routeContext;
      const names = routeContext.serviceNames;
      const findEndpoint = endpointFinder(pathsOf(names));
      return interceptRequests(
        {
          db: routeContext.db,
          clock,
          realClock,
          names,
          findEndpoint,
          redactor: createExchangeRedactor(names),
        },
        {
          change: changeCalls(faults, { db: routeContext.db, findEndpoint }),
          done: (entry) => hub.publish('request', summaryOf(log.add(entry))),
        },
      );
    },
    noteMail: ({ id, to, subject, receivedAt }) => hub.publish('mail', { id, to, subject, receivedAt }),
  };
}
