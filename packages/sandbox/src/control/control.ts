import { pathsOf } from '@latchkey/contract/constants';
import type { RouteContext } from '@latchkey/server';
import type { RequestHandler } from 'express';
import type { SandboxMailbox } from '../mailbox/sandbox-mailbox.js';
import type { SimulatedBank } from '../payments/simulated-bank.js';
import type { WebhookReceiver } from '../receiver/webhook-receiver.js';
import type { SandboxGuide } from '../scenario/sandbox-guide.js';
import { createScenarios, type Scenarios } from '../scenario/scenarios.js';
import { DEFAULT_SHOPS, seedSandbox } from '../scenario/seed-sandbox.js';
import type { EventHub, Services } from '../services/services.js';
import { Deliveries } from './deliveries/deliveries.js';
import { Listeners } from './deliveries/listeners.js';
import { RoundTripLog } from './deliveries/round-trip-log.js';
import { DeliverySender } from './deliveries/send-delivery.js';
import { changeCalls } from './faults/change-call.js';
import { FaultList, type Faults } from './faults/fault-list.js';
import { Payments } from './payments/payments.js';
import { endpointFinder, recordRequests } from './requests/record-request.js';
import { RequestLog, type Requests } from './requests/request-log.js';
import { Snapshots } from './snapshots/snapshots.js';
import { createInOrder, Timeline } from './timeline/timeline.js';

/** A sandbox's tools for tests and developers. The control API offers the same over HTTP. */
export interface SandboxControl {
  /** The newest requests, without secrets. `replay` sends one again. */
  readonly requests: Requests;
  /** Webhook events and their deliveries. */
  readonly deliveries: Deliveries;
  /** The simulated payment provider: its books, refunds, disputes and webhooks. */
  readonly payments: Payments;
  /** Programs that forward webhook deliveries. */
  readonly listeners: Listeners;
  readonly snapshots: Snapshots;
  /** Named data to start with. */
  readonly scenarios: Scenarios;
  /** Faults to inject into calls, to test what a caller does then. */
  readonly faults: Faults;
  /** Clock of the service. */
  readonly clock: Timeline;
  /** Events as they happen: requests, deliveries, mail, clock changes, resets. */
  readonly events: Pick<EventHub, 'subscribe' | 'since'>;
}

interface ControlOptions {
  readonly mailbox: SandboxMailbox;
  readonly receiver: WebhookReceiver;
  readonly bank: SimulatedBank;
  readonly guide: SandboxGuide;
  readonly requestLogEntries: number;
}

/** Creates the tools of a sandbox that hasn't started yet, and the functions that connect them to its server. */
export function createControl(services: Services, options: ControlOptions) {
  const { mailbox, receiver, bank, guide } = options;
  const log = new RequestLog(services, options.requestLogEntries);
  const faults = new FaultList(services);
  const roundTrips = new RoundTripLog(services);
  const sender = new DeliverySender(services, faults, roundTrips);
  const listeners = new Listeners(services, roundTrips);
  // Tools that change the whole sandbox run one at a time: its time, its data, its snapshots, a scenario.
  const inOrder = createInOrder();
  const timeline = new Timeline(services, inOrder, bank);
  const written = createScenarios(services);
  const scenarios: Scenarios = { ...written, add: (name) => inOrder(() => written.add(name)) };
  const snapshots = new Snapshots(services, {
    ...{ inOrder, timeline, listeners, scenarios, bank },
    seed: () => seedAgain(services, guide),
    forget() {
      for (const part of [log, faults, roundTrips, sender, mailbox, receiver, bank]) part.clear();
    },
  });
  const control: SandboxControl = {
    requests: log,
    events: services.hub,
    faults,
    listeners,
    deliveries: new Deliveries(services, { roundTrips, sender, listeners, bank }),
    payments: new Payments(services, bank),
    clock: timeline,
    scenarios,
    snapshots,
  };
  return {
    control,
    interceptDelivery: sender.intercept,
    intercept(context: RouteContext): RequestHandler {
      services.connectContext(context);
      const findEndpoint = endpointFinder(pathsOf(services.serviceNames));
      const change = changeCalls(services, faults, findEndpoint);
      return recordRequests(services, { log, findEndpoint, change });
    },
  };
}

/** Writes the sample data again. The guide keeps what the caller of `seedSandbox` changed. */
async function seedAgain({ baseUrl, clock, operator, serviceNames }: Services, guide: SandboxGuide) {
  const copy = guide.origins === undefined ? guide : { ...guide };
  await seedSandbox({ baseUrl, clock, operator, serviceNames, guide: copy }, guide.origins ?? DEFAULT_SHOPS);
}
