import { pathsOf } from '@latchkey/contract/constants';
import type { Clock, RequestInterceptor, RouteContext, RunningServer } from '@latchkey/server';
import type { DeliveryInterceptor } from '@latchkey/server/extension';
import type { RequestHandler } from 'express';
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
import { createReplays, type Replays } from './requests/replay-requests.js';
import { limitsFor, RequestLog, type RequestSummary, summaryOf } from './requests/request-log.js';
import type { Requests } from './requests/request-routes.js';
import { createSnapshots, type SnapshotNeeds, type Snapshots } from './snapshots/snapshots.js';
import type { EventHub } from './stream/event-hub.js';
import { createInOrder } from './timeline/in-order.js';
import { createTimeline, type Timeline } from './timeline/timeline.js';

/** The server that the tools of a sandbox work on. The tools exist before it. */
class ServerConnection {
  #server: RunningServer | undefined;
  #context: RouteContext | undefined;

  /** Connects the server, once it runs. */
  connectServer(server: RunningServer): void {
    this.#server = server;
  }

  /** Connects the context of its routes, which exists before it accepts requests. */
  connectContext(context: RouteContext): void {
    this.#context = context;
  }

  /**
   * The running server.
   *
   * @throws Error before the start.
   */
  get server(): RunningServer {
    return started(this.#server);
  }

  /**
   * Context of its routes.
   *
   * @throws Error before the start.
   */
  get context(): RouteContext {
    return started(this.#context);
  }
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The sandbox has not started.');
  return part;
}

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
export function createControl(needs: ControlNeeds): ConnectedControl {
  const { clock, realClock, receiver, hub } = needs;
  const connection = new ServerConnection();
  const log = new RequestLog(limitsFor(needs.requestLogEntries));
  const replays = createReplays(log, () => ({ host: needs.hostname, port: connection.server.port }));
  const faults = new FaultList(() => hub.publish('faults', { faults: faults.list() }));
  const db = () => connection.context.db;
  const names = () => connection.context.serviceNames;
  const exchanges = new ExchangeLog(() => createExchangeRedactor(names()));
  const sender = new DeliverySender({ clock, db, faults, exchanges });
  const listeners = createListeners({
    clock,
    exchanges,
    db,
    names,
    onForward: (forwarded) => hub.publish('delivery', forwarded),
  });
  return {
    async attach(running) {
      connection.connectServer(running);
      await listeners.continueAt(clock.now());
    },
    control: {
      requests: requestsOf(log, replays),
      events: hub,
      faults,
      listeners,
      deliveries: createDeliveries({
        clock,
        payments: simulatedPayments,
        exchanges,
        sender,
        db,
        names,
        baseUrl: () => connection.context.baseUrl,
        logger: () => connection.context.logger,
        deliverDue: () => connection.server.runBackgroundWork(),
        onResend: (id) => listeners.forget(id),
      }),
      data: createData({
        mailbox: needs.mailbox,
        clock,
        context: () => connection.context,
        onWrite: (change) => hub.publish('data', change),
      }),
      ...createHistory(needs, connection, {
        restartListeners: (now) => listeners.restart(now),
        forget() {
          for (const part of [log, faults, exchanges, sender]) part.clear();
          needs.clearParts();
        },
      }),
    },
    hub,
    context: () => connection.context,
    receiver,
    interceptDelivery: sender.intercept,
    intercept(context) {
      connection.connectContext(context);
      const onRecord = (summary: RequestSummary) => hub.publish('request', summary);
      return recordRequests({ clock, realClock, log, replays, faults, onRecord }, context);
    },
  };
}

function requestsOf(log: RequestLog, replays: Replays): Requests {
  return {
    list: (filter) => log.list(filter),
    find: (id) => log.find(id),
    clear: () => log.clear(),
    replay: (id) => replays.replay(id),
  };
}

/** Creates the tools that change the whole sandbox: its time, its data, its snapshots. One of them runs at a time. */
function createHistory(
  { clock, realClock, hub, seed }: ControlNeeds,
  connection: ServerConnection,
  { restartListeners, forget }: Pick<SnapshotNeeds, 'restartListeners' | 'forget'>,
): Pick<SandboxControl, 'clock' | 'scenarios' | 'snapshots'> {
  const inOrder = createInOrder();
  const context = () => connection.context;
  const timeline = createTimeline({
    clock,
    realClock,
    db: () => connection.context.db,
    runDueWork: () => connection.context.runDueWork(),
    deliverDue: () => connection.server.runBackgroundWork(),
    inOrder,
    onMove: (reading) => hub.publish('clock', reading),
  });
  const written = createScenarios(() => ({
    db: connection.context.db,
    operator: connection.server.operator,
    baseUrl: connection.context.baseUrl,
    apiKeyPrefix: connection.context.serviceNames.apiKeyPrefix,
    now: clock.now(),
  }));
  // No move, load or reset may run while a scenario is written.
  const scenarios: Scenarios = { ...written, add: (name) => inOrder(() => written.add(name)) };
  const snapshots = createSnapshots({
    clock,
    realClock,
    context,
    inOrder,
    seed: () => seed(connection.server),
    addScenario: (name) => scenarios.add(name),
    restartListeners,
    forget() {
      timeline.forget();
      forget();
    },
    announce: () => hub.publish('reset', timeline.read()),
  });
  return { clock: timeline, scenarios, snapshots };
}

interface RecordingParts {
  readonly clock: Clock;
  readonly realClock: Clock;
  readonly log: RequestLog;
  readonly replays: Replays;
  readonly faults: FaultList;
  /** Runs after a request has been recorded. */
  onRecord(summary: RequestSummary): void;
}

/** Returns the handler that records each request to a server in the log, and applies the faults to it. */
function recordRequests(
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
