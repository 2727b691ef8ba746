import { randomUUID } from 'node:crypto';
import type { ControlInput } from '@latchkey/sandbox/client';
import { CONTROL_ROUTES } from '@latchkey/sandbox/routes';
import * as z from 'zod';
import { row } from '../command-line/text.js';
import { isLoopbackHost, settingsRule, toggle, webUrl } from '../command-line/values.js';
import { findRecord } from './control-client.js';
import { type ControlContext, controlCommand, settingsOf } from './control-command.js';
import { stopSignal } from './follow.js';
import { type ForwardResult, listen as forwardDeliveries } from './listener.js';

/** Widths of type, event id and status. */
const WIDTHS = [24, 24, 36, 8];

const listenSettings = z
  .object({
    forwardTo: webUrl('must be a URL such as http://localhost:3000/webhooks, without a password').meta({
      placeholder: 'url',
      description: 'Address that receives the webhooks, on this machine.',
    }),
    name: CONTROL_ROUTES['POST /listeners'].body.shape.name
      .exactOptional()
      .meta({ placeholder: 'name', defaultText: 'made of the address' }),
    ...settingsOf('POST /listeners', {
      events: {
        flag: 'events',
        placeholder: 'type',
        defaultText: 'all',
        description: 'Type of event to forward.',
      },
      communityId: {
        flag: 'community',
        placeholder: 'id',
        description: 'Forward webhooks of this community only.',
      },
      productId: {
        flag: 'product',
        placeholder: 'id',
        description: 'Forward webhooks of this product only.',
      },
      webhookId: { flag: 'webhook', placeholder: 'id', description: 'Forward this webhook only.' },
    }),
    skipMissed: toggle({ description: 'Begin now, without what was missed.' }),
    retries: z.int().min(0).max(100).default(5).meta({
      placeholder: 'number',
      description: 'Number of times to send a delivery again after another status than 2xx.',
    }),
    allowRemote: toggle({ description: 'Allow an address that is not on this machine.' }),
    printJson: toggle({ description: 'Print the body of each event, too.' }),
  })
  .check(
    settingsRule({
      reads: ['forwardTo', 'allowRemote'],
      isMet: ({ forwardTo = '', allowRemote }) =>
        allowRemote === true || !URL.canParse(forwardTo) || isLoopbackHost(new URL(forwardTo).hostname),
      error:
        '--forward-to leads to another machine, which would receive signed webhooks. Add --allow-remote to allow it.',
    }),
    settingsRule({
      reads: ['communityId', 'productId', 'webhookId'],
      isMet: (source) => idsOf(source).length <= 1,
      error: 'Choose one of --community, --product and --webhook: each names the webhooks already.',
    }),
  );

type Source = Pick<ControlInput<'POST /listeners'>, 'communityId' | 'productId' | 'webhookId'>;

function idsOf({ communityId, productId, webhookId }: Source) {
  const all = [
    ['community', communityId] as const,
    ['product', productId] as const,
    ['webhook', webhookId] as const,
  ];
  return all.filter(([, id]) => id !== undefined);
}

export const listen = controlCommand({
  name: 'listen',
  summary: 'Forwards the webhooks of a sandbox to an address on this machine, until Ctrl-C.',
  settings: listenSettings,
  examples: [
    'latchkey listen --forward-to http://localhost:3000/webhooks',
    'latchkey listen --forward-to http://localhost:3000/webhooks --events payment.success --json',
    'latchkey listen --forward-to http://localhost:3001/hooks --name second --skip-missed',
  ],
  notes:
    'Each request has the headers and the signature that the service sends, by the secret of its webhook. The sandbox stores what was forwarded: start the same command again to receive what it missed. While nothing listens at the address, deliveries wait. "latchkey resend <delivery>" forwards a delivery again. Several listeners can run, each with its own name.',
  async run({ forwardTo: url, retries, skipMissed, allowRemote: _, printJson, ...filter }, context) {
    const { name = nameOf(url) } = filter;
    // A listener for something that doesn't exist would wait forever.
    for (const [one, id] of idsOf(filter)) await findRecord(context.client, one, { id });
    await forwardDeliveries({
      client: context.client,
      url,
      retries,
      signal: stopSignal(),
      listener: { ...filter, name, consumer: randomUUID(), from: skipMissed ? 'now' : 'last' },
      onOpen: ({ waiting }) =>
        context.note(`Listener ${name} forwards to ${url}. Missed deliveries: ${waiting}. Stop with Ctrl-C.`),
      onNote: context.note,
      onResult: (result) => showResult(result, { url, printJson, context }),
    });
  },
});

/** Returns the name of a listener without one. The same URL continues the same listener. */
function nameOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 64);
}

function showResult(
  { delivery, result, forwarded }: ForwardResult,
  { url, printJson, context }: { url: string; printJson: boolean; context: ControlContext },
): void {
  const { id, eventId, eventType, webhookId, createdAt, body } = delivery;
  const { status, failure, durationMs } = forwarded;
  const value = {
    delivery: id,
    eventId,
    eventType,
    webhookId,
    createdAt,
    url,
    result,
    status,
    failure,
    durationMs,
  };
  context.show({ ...value, ...(printJson && { body: JSON.parse(body) }) }, () =>
    [
      row([createdAt, eventType, eventId, status ?? 'failed', `${durationMs} ms`], WIDTHS),
      ...(failure === null ? [] : [`  ${failure} ${NEXT[result]} (delivery ${id})`]),
      ...(printJson ? [JSON.stringify(JSON.parse(body), null, 2)] : []),
    ].join('\n'),
  );
}

const NEXT = {
  delivered: '',
  retry: 'It is sent again.',
  'given-up': 'It is not sent again unless you resend it.',
} as const;
