import type { DeliveryEntry, EventEntry } from '@latchkey/sandbox';
import * as z from 'zod';
import { columns, printableLine, row, table } from '../command-line/text.js';
import { settingsRule, toggle } from '../command-line/values.js';
import { type ControlContext, callCommand, controlCommand, settingsOf } from './control-command.js';
import { followChanges, pastEntries, stopSignal, unlessAborted } from './follow.js';

/** How many events are compared with their last state while following. The control API returns no more. */
const FOLLOWED = 500;
/** Columns of an event, and of its deliveries below it. */
const EVENT_WIDTHS = [24, 24];
const DELIVERY_WIDTHS = [9, 36, 9];

export const eventsList = controlCommand({
  name: 'events',
  summary: 'Lists the webhook events of a sandbox with their deliveries, or follows them.',
  settings: z
    .object({
      follow: toggle({ description: 'Print events as their deliveries are sent, until Ctrl-C.' }),
      ...settingsOf('GET /events', {
        after: { placeholder: 'event', description: 'Print the events before this one: the next page.' },
        type: { placeholder: 'type', defaultText: 'all' },
        status: { placeholder: 'status', defaultText: 'all' },
        text: { flag: 'search', placeholder: 'text', defaultText: 'all' },
        webhookId: { flag: 'webhook', placeholder: 'id', defaultText: 'all' },
      }),
      limit: pastEntries('events'),
    })
    .check(
      settingsRule({
        reads: ['follow', 'after'],
        isMet: ({ follow, after }) => follow !== true || after === undefined,
        error: '--follow prints new events, and --after old ones. Remove one of them.',
      }),
    ),
  examples: [
    'latchkey events',
    'latchkey events --follow --json',
    'latchkey events --type payment.failed --limit 1 --json',
    'latchkey events --status failed --after 5eed0000-0000-4000-8000-0000000000aa',
  ],
  notes:
    'The oldest event comes first. An event is printed again when one of its deliveries changes. "latchkey resend <delivery>" sends a delivery again.',
  async run({ follow, limit, ...filter }, context) {
    const signal = follow ? stopSignal() : undefined;
    const read = () =>
      context.client.call('GET /events', { ...filter, limit: follow ? FOLLOWED : limit }, { signal });
    const answer = await unlessAborted(read(), signal);
    if (answer === undefined) return;
    const { events, next } = answer;
    for (const event of events.slice(0, limit).reverse()) showEvent(event, context);
    if (signal) {
      let printed = statesOf(events);
      const onChange = async () => {
        const { events: changed } = await read();
        for (const event of changed.toReversed()) {
          if (printed.get(event.id) !== stateOf(event)) showEvent(event, context);
        }
        printed = statesOf(changed);
      };
      return await followChanges(context, signal, { types: ['delivery', 'clock', 'reset'], onChange });
    }
    if (events.length === 0) context.note('No such events.');
    if (next !== null) context.note(`There are older events: add --after ${next}`);
  },
});

export const resend = callCommand({
  name: 'resend',
  call: 'POST /deliveries/{id}/resend',
  summary: 'Sends a webhook delivery again, with the same event id, and prints the attempts.',
  settings: {
    id: {
      isArgument: true,
      placeholder: 'delivery',
      description: 'Id of the delivery, as "latchkey events" prints it.',
    },
    as: { placeholder: 'change' },
  },
  examples: [
    'latchkey resend 5eed0000-0000-4000-8000-0000000000aa',
    'latchkey resend 5eed0000-0000-4000-8000-0000000000aa --as duplicate',
  ],
  notes: 'The exit code is 1 if the endpoint did not accept the delivery.',
  text: deliveryText,
  failure: ({ status }) => (status === 'delivered' ? undefined : 'The endpoint did not accept the delivery.'),
});

function statesOf(events: readonly EventEntry[]): ReadonlyMap<string, string> {
  return new Map(events.map((event) => [event.id, stateOf(event)]));
}

/** Returns a string that differs whenever a delivery of the event has changed. */
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
