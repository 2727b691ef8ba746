import { formatTimestamp, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';
import type { DataRecord, EventEntry } from '@latchkey/sandbox';
import * as z from 'zod';
import { CommandFailure } from '../command-line/command-failure.js';
import { kebabCase } from '../command-line/flag.js';
import { instant, toggle } from '../command-line/values.js';
import { type ControlClient, findRecord, findUser } from './control-client.js';
import { controlCommand, settingsOf } from './control-command.js';

const CREATED = 'membership.created';
const UPDATED = 'membership.updated';
const FAILED = 'payment.failed';
const PURCHASE = 'digital.product.purchase';
/** How many events are compared to find the one about the change. */
const COMPARED = 500;

const PAYMENT_OF_PLAN = ['user', 'plan', 'community', 'method', 'externalId', 'utmSource'];

/** Settings that each event uses. Any other would be ignored, so it's an error. */
const USED: Readonly<Record<WebhookEventType, readonly string[]>> = {
  [CREATED]: ['user', 'community', 'product', 'until'],
  [UPDATED]: ['user', 'community', 'product', 'membership', 'until', 'end'],
  'payment.success': PAYMENT_OF_PLAN,
  [FAILED]: PAYMENT_OF_PLAN,
  [PURCHASE]: ['user', 'product', 'method', 'utmSource'],
};

const uuid = z.uuid('must be a UUID').exactOptional();

export const triggerSettings = z
  .object({
    event: z
      .enum(WEBHOOK_EVENT_TYPES)
      .meta({ isArgument: true, description: `One of ${WEBHOOK_EVENT_TYPES.join(', ')}.` }),
    user: z
      .string()
      .min(1)
      .exactOptional()
      .meta({ placeholder: 'user', description: 'Email address or id of the user.' }),
    community: uuid.meta({ placeholder: 'id', description: 'Community of the membership.' }),
    product: uuid.meta({ placeholder: 'id', description: 'Product of the membership.' }),
    membership: uuid.meta({ placeholder: 'id', description: 'Membership to change, in place of --user.' }),
    until: instant.exactOptional().meta({
      placeholder: 'time',
      description: 'Expiry of the membership, in ISO-8601. Without it, a new one is for life.',
    }),
    end: toggle({ description: 'End the membership now.' }),
    plan: uuid.meta({
      placeholder: 'id',
      description: 'Plan to buy, for payment.success and payment.failed.',
    }),
    ...settingsOf('POST /purchases', {
      method: { placeholder: 'method', defaultText: 'one with the result' },
      externalId: { placeholder: 'id' },
      utmSource: { placeholder: 'text' },
    }),
  })
  .check(({ value, issues }) => {
    for (const message of wrongSettings(value)) issues.push({ code: 'custom', message, input: value });
  });

type TriggerSettings = z.output<typeof triggerSettings>;

function wrongSettings({ event, ...settings }: TriggerSettings): readonly string[] {
  const values = settings as Readonly<Record<string, unknown>>;
  const has = (name: string) => values[name] !== undefined && values[name] !== false;
  const uses = (name: string) => USED[event].includes(name);
  const rules: readonly (readonly [isBroken: boolean, message: string])[] = [
    ...[...new Set(Object.values(USED).flat())]
      .filter((name) => has(name) && !uses(name))
      .map((name) => [true, `--${kebabCase(name)} does not belong to ${event}. Remove it.`] as const),
    [
      has('community') && has('product'),
      'A membership belongs to a --community or a --product, not to both.',
    ],
    [has('community') && has('plan'), '--plan names the community already. Remove --community.'],
    [
      has('membership') && (has('user') || has('community') || has('product')),
      '--membership names the membership already. Remove --user, --community and --product.',
    ],
    [uses('method') && !has('user'), 'Name the --user who buys, by email address or id.'],
    [event === PURCHASE && !has('product'), `${PURCHASE} needs the --product that is bought.`],
    [
      event === UPDATED && has('until') === has('end'),
      `${UPDATED} needs a change: either --until with another expiry, or --end.`,
    ],
    [
      !uses('method') && !has('user') && !has('membership'),
      `Name the --user, by email address or id. ${UPDATED} also accepts --membership.`,
    ],
  ];
  return rules.flatMap(([isBroken, message]) => (isBroken ? [message] : []));
}

export const trigger = controlCommand({
  name: 'trigger',
  summary: 'Causes a webhook event by a real change of your own objects in a sandbox.',
  settings: triggerSettings,
  examples: [
    'latchkey trigger membership.created --user ben@example.com',
    'latchkey trigger membership.updated --user ada@example.com --community 5eed0000-0000-4000-8000-0000000000c0 --end',
    'latchkey trigger membership.updated --membership 5eed0000-0000-4000-8000-0000000000a1 --until 2027-01-31',
    'latchkey trigger payment.success --user ben@example.com --plan 5eed0000-0000-4000-8000-0000000000d1',
    'latchkey trigger payment.failed --user ben@example.com --plan 5eed0000-0000-4000-8000-0000000000d1 --method card-0002',
    'latchkey trigger digital.product.purchase --user ben@example.com --product 5eed0000-0000-4000-8000-0000000000b1',
  ],
  notes:
    'A payment event is a real purchase: a checkout that is opened and paid, or declined. The change stays: reset the sandbox or load a snapshot to undo it. If the user has memberships of several communities and products, add --community or --product. The exit code is 1 if the event cannot be triggered, or the change records no such event.',
  async run(settings, { client, show }) {
    const newest = async () => (await client.call('GET /events', { limit: COMPARED })).events;
    const before = new Set((await newest()).map(({ id }) => id));
    const changed = await change(client, settings);
    const event = (await newest()).find(
      (entry) => !before.has(entry.id) && entry.type === settings.event && changed.isIn(dataOf(entry)),
    );
    if (event === undefined) {
      throw new CommandFailure(
        `The change of ${changed.name} recorded no ${settings.event}. It has this state already.`,
      );
    }
    show(event, () => eventText(event, changed.name));
  },
});

interface EventData {
  readonly membership?: { readonly id: string };
  readonly user?: { readonly sub: string };
}

/** A changed object, and the test for events about it. */
interface Changed {
  readonly name: string;
  isIn(data: EventData): boolean;
}

async function change(client: ControlClient, settings: TriggerSettings): Promise<Changed> {
  if (USED[settings.event].includes('method')) return await pay(client, settings);
  const id = await (settings.event === CREATED ? create(client, settings) : update(client, settings));
  return { name: `the membership ${id}`, isIn: ({ membership }) => membership?.id === id };
}

/** Grants a membership to a user without one, and returns its id. */
async function create(client: ControlClient, settings: TriggerSettings): Promise<string> {
  const { community, product, until } = settings;
  const user = await findUser(client, settings.user ?? '');
  const idOf = async (one: 'community' | 'product', id: string | undefined, ask = '') =>
    String((await findRecord(client, one, { id, ask })).id);
  const subject =
    product === undefined
      ? { communityId: await idOf('community', community, 'Add --community or --product.') }
      : { productId: await idOf('product', product) };
  const [[field = '', subjectId]] = Object.entries(subject) as [[string, string]];
  const current = (await client.records('memberships')).find(
    (record) => record.userId === user.id && record[field] === subjectId,
  );
  if (current !== undefined) {
    throw new CommandFailure(
      `${user.name} has this membership already, perhaps expired: ${current.id}. A change of it is ${UPDATED}.`,
    );
  }
  const productType = product === undefined ? 'community' : 'digital_product';
  return await grant(client, { userId: user.id, productType, ...subject }, until);
}

/** Grants a membership, or changes its period, and returns its id. */
async function grant(client: ControlClient, membership: object, until: number | undefined): Promise<string> {
  const validUntil = until === undefined ? undefined : formatTimestamp(until);
  return (await client.call('POST /data/{kind}', { ...membership, validUntil, kind: 'memberships' })).id;
}

/** Changes the expiry of a membership, and returns its id. */
async function update(client: ControlClient, settings: TriggerSettings): Promise<string> {
  const { until } = settings;
  const membership =
    settings.membership === undefined
      ? await membershipOf(client, settings)
      : await findRecord(client, 'membership', { id: settings.membership });
  const id = String(membership.id);
  if (until === undefined) await client.call('DELETE /data/{kind}/{id}', { kind: 'memberships', id });
  else await grant(client, grantOf(membership), until);
  return id;
}

async function membershipOf(client: ControlClient, settings: TriggerSettings): Promise<DataRecord> {
  const { community, product } = settings;
  const user = await findUser(client, settings.user ?? '');
  const matches = ({ userId, communityId, productId }: DataRecord) =>
    userId === user.id &&
    (community === undefined || communityId === community.toLowerCase()) &&
    (product === undefined || productId === product.toLowerCase());
  if (!(await client.records('memberships')).some(matches))
    throw new CommandFailure(`${user.name} has no such membership.`);
  const ask = `${user.name} has several memberships. Choose one with --membership.`;
  return await findRecord(client, 'membership', { matches, ask });
}

function grantOf({ userId, productType, communityId, productId, validFrom }: DataRecord): object {
  if (communityId === null && productId === null) {
    throw new CommandFailure('This membership belongs to no community or product. Use --end.');
  }
  return {
    ...{ userId, productType, validFrom },
    ...(communityId !== null && { communityId }),
    ...(productId !== null && { productId }),
  };
}

function dataOf({ body }: EventEntry): EventData {
  return (body as { data?: EventData }).data ?? {};
}

function eventText({ id, type, deliveries }: EventEntry, changed: string): string {
  const receivers = deliveries.map(({ id: delivery, url }) => `  delivery ${delivery} to ${url}`);
  return [
    `Recorded ${type} ${id} of ${changed}.`,
    ...(receivers.length === 0
      ? ['  No webhook receives it: register one for its community or product.']
      : receivers),
  ].join('\n');
}

async function pay(client: ControlClient, settings: TriggerSettings): Promise<Changed> {
  const { event, product, plan, community, method, externalId, utmSource } = settings;
  const user = await findUser(client, settings.user ?? '');
  const matches = ({ communityId, archivedAt }: DataRecord) =>
    (archivedAt ?? null) === null && (community === undefined || communityId === community.toLowerCase());
  const ask = 'Choose the --plan to buy.';
  const subject =
    product === undefined
      ? { pricingPlanId: String((await findRecord(client, 'plan', { id: plan, matches, ask })).id) }
      : { productId: product };
  const result = event === FAILED ? 'declined' : 'paid';
  const purchase = { userId: user.id, ...subject, result, method, externalId, utmSource } as const;
  await client.call('POST /purchases', purchase);
  return { name: `a purchase by ${user.name}`, isIn: (data) => data.user?.sub === user.id };
}
