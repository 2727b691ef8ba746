import type { DeliveryEntry, EventEntry } from '@latchkey/sandbox';
import * as z from 'zod';
import { columns } from '../../command-line/columns.js';
import { CommandFailure } from '../../command-line/command-failure.js';
import { printableLine } from '../../command-line/printable.js';
import { type ControlContext, controlCommand } from '../command/control-command.js';
import { followChanges } from '../follow/follow-changes.js';
import { stopSignal } from '../follow/stop-signal.js';
import { row, table } from '../output/table.js';

/** Events that are compared with the last state while following. The control API returns no more. */
const FOLLOWED = 500;
/** Columns of an event, and of its deliveries below it. */
const EVENT_WIDTHS = [24, 24];
const DELIVERY_WIDTHS = [9, 36, 9];

/** `latchkey events` */
export const eventsList = controlCommand({
  name: 'events',
  summary: 'Lists the webhook events of a sandbox with their deliveries, or follows them.',
  settings: z.object({
    follow: z
      .boolean()
      .default(false)
      .meta({ description: 'Print events as their deliveries are sent, until Ctrl-C.' }),
    limit: z
      .int()
      .min(1)
      .max(FOLLOWED)
      .default(20)
      .meta({ placeholder: 'number', description: 'Number of past events to print.' }),
  }),
  examples: ['latchkey events', 'latchkey events --follow --json', 'latchkey events --limit 1 --json'],
  notes:
    'The oldest event comes first. An event is printed again when one of its deliveries changes. "latchkey resend <delivery>" sends a delivery again.',
  async run({ follow, limit }, context) {
    const events = await context.client.events(follow ? FOLLOWED : limit);
    for (const event of events.slice(0, limit).reverse()) showEvent(event, context);
    if (follow) await followEvents(events, context);
    else if (events.length === 0) context.note('No events yet.');
  },
});

/** `latchkey resend` */
export const resend = controlCommand({
  name: 'resend',
  summary: 'Sends a webhook delivery again, with the same event id, and prints the attempts.',
  settings: z.object({
    delivery: z.uuid('must be the UUID of a delivery').meta({
      isArgument: true,
      description: 'Id of the delivery, as "latchkey events" prints it.',
    }),
  }),
  examples: ['latchkey resend 5eed0000-0000-4000-8000-0000000000aa'],
  notes: 'The exit code is 1 if the endpoint did not accept the delivery.',
  async run({ delivery: id }, { client, show }) {
    const delivery = await client.resend(id);
    show(delivery, () => deliveryText(delivery));
    if (delivery.status !== 'delivered') {
      throw new CommandFailure('The endpoint did not accept the delivery.');
    }
  },
});

async function followEvents(known: readonly EventEntry[], context: ControlContext): Promise<void> {
  const { client, note } = context;
  let printed = statesOf(known);
  await followChanges({
    client,
    types: ['delivery', 'clock', 'reset'],
    signal: stopSignal(),
    onLost: () => note('The connection is lost. Connecting again.'),
    async onChange() {
      const events = await client.events(FOLLOWED);
      for (const event of events.toReversed()) {
        if (printed.get(event.id) !== stateOf(event)) showEvent(event, context);
      }
      printed = statesOf(events);
    },
  });
}

function statesOf(events: readonly EventEntry[]): ReadonlyMap<string, string> {
  return new Map(events.map((event) => [event.id, stateOf(event)]));
}

/** Text that differs whenever a delivery of the event has changed. */
function stateOf({ deliveries }: EventEntry): string {
  return deliveries.map(({ id, status, attemptCount }) => `${id} ${status} ${attemptCount}`).join();
}

function showEvent(event: EventEntry, { show }: ControlContext): void {
  show(event, () =>
    [
      row([event.createdAt, event.type, event.id], EVENT_WIDTHS),
      ...event.deliveries.map(
        ({ id, status, attemptCount, url }) =>
          `  ${row([status, id, `${attemptCount} sent`, url], DELIVERY_WIDTHS)}`,
      ),
      ...(event.deliveries.length === 0 ? ['  no webhook receives it'] : []),
    ].join('\n'),
  );
}

function deliveryText({ id, eventId, status, nextAttemptAt, attempts }: DeliveryEntry): string {
  return [
    columns(
      [
        ['delivery', id],
        ['event', eventId],
        ['status', status],
        ['next attempt', nextAttemptAt ?? '-'],
      ].map(([name = '', value = '']) => [name, printableLine(value)] as const),
    ),
    '',
    table(
      ['attempt', 'status', 'duration', 'failure'],
      attempts.map(({ at, status: code, durationMs, failure }) => [at, code, `${durationMs} ms`, failure]),
      'No attempts.',
    ),
  ].join('\n');
}
