import { type CallEntry, isAcknowledged } from '../log/log-entries.ts';
import type { SoakEvent as Event } from './soak-events.ts';
import type { SoakHistory } from './soak-history.ts';
import type { Report } from './violation.ts';

/** Checks that each acknowledged change has one event, and that each event reached every endpoint under one id. */
export function checkEvents(history: SoakHistory, report: Report): void {
  const { events } = history;
  checkContents({ history, events, report });
  checkDeliveries({ history, events, report });
  checkDuplicates(events, report);
  checkMembershipEvents({ history, events, report });
  checkPaymentEvents({ history, events, report });
}

interface EventCheck {
  history: SoakHistory;
  events: readonly Event[];
  report: Report;
}

function checkContents({ events, report }: EventCheck): void {
  for (const { deliveries, id } of events) {
    const [first] = deliveries;
    for (const { isSigned, receiver, body, eventId, eventType } of deliveries) {
      if (!isSigned)
        report('delivery is signed', `A delivery of ${eventId} to ${receiver} has a wrong signature.`);
      if (body !== first?.body || eventType !== first.eventType) {
        report('event id is stable', `Two deliveries of ${eventId} have different contents.`);
      }
    }
    if (first !== undefined && id !== first.eventId)
      report('event id is stable', `The header names the event ${first.eventId}, the body ${id}.`);
  }
}

function checkDeliveries({ history, events, report }: EventCheck): void {
  for (const { id, type, deliveries } of events) {
    for (const receiver of history.start?.receivers ?? []) {
      const isAccepted = deliveries.some(
        ({ receiver: name, answered }) => name === receiver && answered !== null && answered < 300,
      );
      if (!isAccepted) report('event is delivered', `${receiver} never accepted the event ${id} (${type}).`);
    }
  }
}

function checkDuplicates(events: readonly Event[], report: Report): void {
  for (const same of Map.groupBy(events, ({ type, data, ...rest }) =>
    JSON.stringify([type, data, createdAtOf(rest)]),
  ).values()) {
    if (same.length > 1) {
      report('event id is stable', `One change was published as ${same.map(({ id }) => id).join(' and ')}.`);
    }
  }
}

function createdAtOf(event: object): unknown {
  return (event as { createdAt?: string }).createdAt;
}

function checkMembershipEvents({ history, events, report }: EventCheck): void {
  const changes = events.filter(({ type }) => type === 'membership.created' || type === 'membership.updated');
  const byMembership = Map.groupBy(changes, ({ data }) => data.membership?.id ?? '');
  for (const call of history.of('provision')) {
    const { status, output = {}, input, subject } = call;
    if (status !== 200 || output.status === 'idempotent_return') continue;
    const type = output.status === 'created' ? 'membership.created' : 'membership.updated';
    const isPublished = byMembership
      .get(String(output.membershipId))
      ?.some(
        (event) =>
          event.type === type &&
          event.data.externalOrderId === input.externalOrderId &&
          event.data.membership?.validFrom === output.validFrom &&
          event.data.membership?.validUntil === output.validUntil,
      );
    if (!isPublished)
      report(
        'event is delivered',
        `${subject}: no ${type} for the order ${input.externalOrderId} (${output.status}).`,
      );
  }
  for (const call of history.of('end-now')) {
    if (!isAcknowledged(call) || call.input.isForLife !== true) continue;
    const now = history.serverTime(call.sent, call.done);
    const isPublished = byMembership.get(String(call.input.membershipId))?.some(({ data }) => {
      const end = Date.parse(data.membership?.validUntil ?? '');
      return end >= now.lo && end <= now.hi;
    });
    if (!isPublished)
      report('event is delivered', `${call.subject}: no membership.updated for the end at ${call.sent}.`);
  }
  const provisioned = history
    .of('provision')
    .filter(({ status }) => status === null || status < 400 || status >= 500);
  const orders = new Set(provisioned.map(({ input }) => input.externalOrderId));
  for (const { id, data } of changes) {
    const { externalOrderId } = data;
    if (typeof externalOrderId === 'string' && !orders.has(externalOrderId)) {
      report(
        'event has a cause',
        `The event ${id} is about the order ${externalOrderId}, which no call can have provisioned.`,
      );
    }
  }
}

function checkPaymentEvents({ history, events, report }: EventCheck): void {
  const ofType = (type: string) =>
    Map.groupBy(
      events.filter((event) => event.type === type),
      ({ data }) => data.externalId ?? '',
    );
  const [succeeded, failed] = [ofType('payment.success'), ofType('payment.failed')];
  const tried = new Set<unknown>();
  const declined = new Set<unknown>();
  for (const call of history.of('pay')) {
    const { externalId, method } = call.input as Record<string, string>;
    (method === 'pays' ? tried : declined).add(externalId);
    if (externalId === undefined) continue;
    const { result } = call.output ?? {};
    if (result === 'paid' && !succeeded.has(externalId)) {
      report('event is delivered', `No payment.success for the acknowledged payment of ${externalId}.`);
    }
    if (isDeclined(call) && !failed.has(externalId) && !succeeded.has(externalId)) {
      report('event is delivered', `No payment.failed for the declined payment of ${externalId}.`);
    }
  }
  for (const externalId of failed.keys()) {
    if (!declined.has(externalId))
      report('event has a cause', `${externalId} has a payment.failed, but no payment was declined.`);
  }
  for (const [externalId, same] of succeeded) {
    if (same.length > 1)
      report('payment is charged once', `${externalId} has ${same.length} successful payments.`);
    if (!tried.has(externalId))
      report('event has a cause', `${externalId} has a payment.success, but nobody paid.`);
  }
}

function isDeclined({ output, input }: CallEntry): boolean {
  return output?.result === 'declined' && input.method === 'declines';
}
