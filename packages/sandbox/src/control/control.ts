import { pathsOf } from '@latchkey/contract/constants';
import type { Clock, RequestInterceptor, RouteContext, RunningServer } from '@latchkey/server';
import type { DeliveryInterceptor } from '@latchkey/server/extension';
import type { SandboxClock } from '../clock/sandbox-clock.js';
import type { SandboxMailbox } from '../mailbox/sandbox-mailbox.js';
import { simulatedPayments } from '../payments/simulated-payments.js';
import type { WebhookReceiver } from '../receiver/webhook-receiver.js';
import { createScenarios, type Scenarios } from '../scenario/scenarios.js';
import { createData, type SandboxData } from './data/data.js';
import { createDeliveries, type Deliveries } from './deliveries/deliveries.js';
import { ExchangeLog } from './deliveries/exchange-log.js';
import { DeliverySender } from './deliveries/send-delivery.js';
import { changeCalls } from './faults/change-call.js';
import { FaultList, type Faults } from './faults/fault-list.js';
import { createListeners, type Listeners } from './listeners/listeners.js';
import { endpointFinder } from './requests/endpoint-of.js';
import { interceptRequests } from './requests/intercept.js';
import { createExchangeRedactor } from './requests/redact-exchange.js';
import { createReplays } from './requests/replay-requests.js';
import { limitsFor, RequestLog, summaryOf } from './requests/request-log.js';
import type { Requests } from './requests/request-routes.js';
import { createSnapshots, type Snapshots } from './snapshots/snapshots.js';
import type { EventHub } from './stream/event-hub.js';
import { createInOrder } from './timeline/in-order.js';
import { createTimeline, type Timeline } from './timeline/timeline.js';

/** Tools of a sandbox for tests and developers. The control API offers the same over HTTP. */
export interface SandboxControl {
  /** Newest requests, without secrets. `replay` sends one again. */
  readonly requests: Requests;
  /** Webhook events and their deliveries. */
  readonly deliveries: Deliveries;
  /** Programs that forward webhook deliveries. */
  readonly listeners: Listeners;
  /** Records, mail and messenger. */
  readonly data: SandboxData;
  /** Resets and snapshots. */
  readonly snapshots: Snapshots;
  /** Named data to begin with. */
  readonly scenarios: Scenarios;
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
  readonly mailbox: SandboxMailbox;
  receiver(): WebhookReceiver;
  readonly hub: EventHub;
  /** Writes the sample data. */
  seed(server: RunningServer): Promise<void>;
  /** Number of requests that the log keeps. */
  readonly requestLogEntries: number;
  /** Address by which the sandbox reaches its own server. */
  readonly hostname: string;
  /** Empties mailbox and receiver. */
  clearParts(): void;
}

/** Tools, with the functions by which the sandbox connects them to the server. */
export interface ConnectedControl {
  readonly control: SandboxControl;
  readonly hub: EventHub;
  readonly intercept: RequestInterceptor;
  readonly interceptDelivery: DeliveryInterceptor;
  /** Built-in receiver of webhooks. */
  receiver(): WebhookReceiver;
  /** Connects the tools with the server, once it runs. */
  attach(server: RunningServer): Promise<void>;
  /** Returns the running server's parts. */
  context(): RouteContext;
}

/** Creates the tools of a sandbox that has not started yet. */
export function createControl({
  clock,
  realClock,
  mailbox,
  receiver,
  hub,
  seed,
  clearParts,
  requestLogEntries,
  hostname,
}: ControlNeeds): ConnectedControl {
  const log = new RequestLog(limitsFor(requestLogEntries));
  const replays = createReplays(log, () => ({ host: hostname, port: started().port }));
  const requests: Requests = {
    list: (filter) => log.list(filter),
    find: (id) => log.find(id),
    clear: () => log.clear(),
    replay: (id) => replays.replay(id),
  };
  const inOrder = createInOrder();
  const faults = new FaultList(() => hub.publish('faults', { faults: faults.list() }));
  let routeContext: RouteContext | undefined;
  let server: RunningServer | undefined;
  const context = () => {
    if (routeContext === undefined) throw new Error('The sandbox has not started.');
    return routeContext;
  };
  const started = () => {
    if (server === undefined) throw new Error('The sandbox has not started.');
    return server;
  };
  const deliverDue = () => started().runBackgroundWork();
  const db = () => context().db;
  const names = () => context().serviceNames;
  const exchanges = new ExchangeLog(() => createExchangeRedactor(names()));
  const sender = new DeliverySender({ clock, db, faults, exchanges });
  const listeners = createListeners({
    clock,
    exchanges,
    db,
    names,
    onForward: (forwarded) => hub.publish('delivery', forwarded),
  });
  const deliveries = createDeliveries({
    clock,
    payments: simulatedPayments,
    exchanges,
    sender,
    db,
    names,
    baseUrl: () => context().baseUrl,
    deliverDue,
    onResend: (id) => listeners.forget(id),
  });
  const data = createData({
    mailbox,
    clock,
    context,
    onWrite: (change) => hub.publish('data', change),
  });
  const written = createScenarios(() => ({
    db: db(),
    operator: started().operator,
    baseUrl: context().baseUrl,
    apiKeyPrefix: names().apiKeyPrefix,
    now: clock.now(),
  }));
  // No move, load or reset may run while a scenario is written.
  const scenarios: Scenarios = { ...written, add: (name) => inOrder(() => written.add(name)) };
  const snapshots = createSnapshots({
    clock,
    realClock,
    context,
    inOrder,
    seed: () => seed(started()),
    addScenario: (name) => scenarios.add(name),
    restartListeners: (now) => listeners.restart(now),
    forget() {
      log.clear();
      faults.clear();
      exchanges.clear();
      sender.clear();
      timeline.forget();
      clearParts();
    },
    announce: () => hub.publish('reset', timeline.read()),
  });
  const timeline = createTimeline({
    clock,
    realClock,
    db,
    runDueWork: () => context().runDueWork(),
    deliverDue,
    inOrder,
    onMove: (reading) => hub.publish('clock', reading),
  });
  return {
    async attach(running) {
      server = running;
      await listeners.continueAt(clock.now());
    },
    control: {
      requests,
      events: hub,
      clock: timeline,
      faults,
      deliveries,
      listeners,
      data,
      snapshots,
      scenarios,
    },
    hub,
    context,
    receiver,
    interceptDelivery: sender.intercept,
    intercept(given) {
      routeContext = given;
      const serviceNames = given.serviceNames;
      const findEndpoint = endpointFinder(pathsOf(serviceNames));
      return interceptRequests(
        {
          db: given.db,
          clock,
          realClock,
          names: serviceNames,
          findEndpoint,
          redactor: createExchangeRedactor(serviceNames),
        },
        {
          change: changeCalls(faults, { db: given.db, findEndpoint }),
          begin(request) {
            const store = log.begin();
            const replay = replays.take(request);
            return (entry, raw) => {
              const stored = store({ ...entry, replayOf: replay?.of ?? null }, raw);
              const summary = stored && summaryOf(stored);
              if (summary !== undefined) hub.publish('request', summary);
              replay?.done(summary);
            };
          },
        },
      );
    },
  };
}
