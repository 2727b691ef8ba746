import { formatTimestamp, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@latchkey/contract/constants';
import type { DataRecord, EventEntry, EventPage } from '@latchkey/sandbox';
import * as z from 'zod';
import { CommandFailure } from '../command-line/command-failure.js';
import { instant } from '../command-line/instant-value.js';
import { quoted } from '../command-line/text.js';
import { settingsRule } from '../command-line/values.js';
import type { ControlClient } from './control-client.js';
import { controlCommand } from './control-command.js';
import { choices, findMembership, findSubject, findUser, type TriggerTarget } from './trigger-target.js';

const CREATED = 'membership.created';
const UPDATED = 'membership.updated';
/** Events that are compared to find the one of the change. */
const COMPARED = 500;

const FAILED = 'payment.failed';
const PURCHASE = 'digital.product.purchase';
const PAYMENTS: readonly string[] = ['payment.success', FAILED, PURCHASE];

/** Purchase that causes an event. */
interface PaymentTarget {
  readonly plan?: string;
  readonly method?: string;
  readonly externalId?: string;
  readonly utmSource?: string;
}

/** True if only a purchase causes the event. */
function isPayment(type: string | undefined): boolean {
  return PAYMENTS.includes(type ?? '');
}

const paymentFlags = {
  plan: z
    .uuid('must be a UUID')
    .exactOptional()
    .meta({ placeholder: 'id', description: 'Plan to buy, for payment.success and payment.failed.' }),
  method: z.string().min(1).max(100).exactOptional().meta({
    placeholder: 'method',
    defaultText: 'one with the result',
    description: 'Payment method, such as card-9995.',
  }),
  externalId: z
    .string()
    .min(1)
    .max(255)
    .exactOptional()
    .meta({ placeholder: 'id', description: 'External id of the checkout of a plan, as in buy-plan.' }),
  utmSource: z
    .string()
    .min(1)
    .max(100)
    .exactOptional()
    .meta({ placeholder: 'text', description: 'Source of the checkout, as in buy-plan.' }),
};

type Given = { event: string; until?: number; end: boolean } & TriggerTarget & PaymentTarget;

/** Rules of these flags. A flag that the event would ignore is an error. */
const paymentRules = [
  settingsRule<Given>({
    reads: ['event', 'plan', 'method', 'externalId', 'utmSource'],
    isMet: ({ event, plan, method, externalId, utmSource }) =>
      isPayment(event) || (plan ?? method ?? externalId ?? utmSource) === undefined,
    error: '--plan, --method, --external-id and --utm-source belong to purchases. Remove them.',
  }),
  settingsRule<Given>({
    reads: ['event', 'membership', 'until', 'end'],
    isMet: ({ event, membership, until, end }) =>
      !isPayment(event) || ((membership ?? until) === undefined && !end),
    error: 'A purchase decides the membership and its expiry. Remove --membership, --until and --end.',
  }),
  settingsRule<Given>({
    reads: ['event', 'product'],
    isMet: ({ event, product }) => !isPayment(event) || (event === PURCHASE) === (product !== undefined),
    error: `--product belongs to ${PURCHASE}, which needs it. The other payments are for a --plan.`,
  }),
  settingsRule<Given>({
    reads: ['event', 'plan', 'community', 'externalId'],
    isMet: ({ event, plan, community, externalId }) =>
      event !== PURCHASE || (plan ?? community ?? externalId) === undefined,
    error: `${PURCHASE} has no plan, community or external id. Remove --plan, --community and --external-id.`,
  }),
  settingsRule<Given>({
    reads: ['event', 'plan', 'community'],
    isMet: ({ event, plan, community }) => !isPayment(event) || plan === undefined || community === undefined,
    error: '--plan names the community already. Remove --community.',
  }),
  settingsRule<Given>({
    reads: ['event', 'user'],
    isMet: ({ event, user }) => !isPayment(event) || user !== undefined,
    error: 'Name the --user who buys, by email address or id.',
  }),
];

const triggerSettings = z
  .object({
    event: z
      .enum(WEBHOOK_EVENT_TYPES)
      .meta({ isArgument: true, description: `One of ${WEBHOOK_EVENT_TYPES.join(', ')}.` }),
    user: z
      .string()
      .min(1)
      .exactOptional()
      .meta({ placeholder: 'user', description: 'Email address or id of the user.' }),
    community: z
      .uuid('must be a UUID')
      .exactOptional()
      .meta({ placeholder: 'id', description: 'Community of the membership.' }),
    product: z
      .uuid('must be a UUID')
      .exactOptional()
      .meta({ placeholder: 'id', description: 'Product of the membership.' }),
    membership: z
      .uuid('must be a UUID')
      .exactOptional()
      .meta({ placeholder: 'id', description: 'Membership to change, in place of --user.' }),
    until: instant.exactOptional().meta({
      placeholder: 'time',
      description: 'Expiry of the membership, in ISO-8601. Without it, a new one is for life.',
    }),
    end: z.boolean().default(false).meta({ description: 'End the membership now.' }),
    ...paymentFlags,
  })
  .check(
    settingsRule<{ community?: string; product?: string }>({
      reads: ['community', 'product'],
      isMet: ({ community, product }) => community === undefined || product === undefined,
      error: 'A membership belongs to a --community or a --product, not to both.',
    }),
    settingsRule<{ user?: string; community?: string; product?: string; membership?: string }>({
      reads: ['user', 'community', 'product', 'membership'],
      isMet: ({ user, community, product, membership }) =>
        membership === undefined || (user ?? community ?? product) === undefined,
      error: '--membership names the membership already. Remove --user, --community and --product.',
    }),
    settingsRule<{ event: string; membership?: string; end: boolean }>({
      reads: ['event', 'membership', 'end'],
      isMet: ({ event, membership, end }) => event !== CREATED || (membership === undefined && !end),
      error: `${CREATED} grants a new membership. Name its --user, and remove --membership and --end.`,
    }),
    ...paymentRules,
    settingsRule<{ event: string; until?: number; end: boolean }>({
      reads: ['event', 'until', 'end'],
      isMet: ({ event, until, end }) => event !== UPDATED || (until !== undefined) !== end,
      error: `${UPDATED} needs a change: either --until with another expiry, or --end.`,
    }),
    settingsRule<{ event: string; user?: string; membership?: string }>({
      reads: ['event', 'user', 'membership'],
      isMet: ({ event, user, membership }) => isPayment(event) || (user ?? membership) !== undefined,
      error: `Name the --user, by email address or id. ${UPDATED} also accepts --membership.`,
    }),
  );

/** `latchkey trigger` */
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
  async run({ event: type, ...target }, { client, show }) {
    const newest = () => client.get<EventPage>('/events', 'events', { limit: COMPARED });
    const before = new Set((await newest()).events.map(({ id }) => id));
    const changed = await change(client, type, target);
    const { events } = await newest();
    const event = events.find((entry) => !before.has(entry.id) && entry.type === type && changed.isIn(entry));
    if (event === undefined) {
      throw new CommandFailure(
        `The change of ${changed.name} recorded no ${type}. It has this state already.`,
      );
    }
    show(event, () => eventText(event, changed.name));
  },
});

/** Changed object, and the test for events about it. */
interface Changed {
  readonly name: string;
  isIn(event: EventEntry): boolean;
}

async function change(
  client: ControlClient,
  type: WebhookEventType,
  target: TriggerTarget & PaymentTarget,
): Promise<Changed> {
  if (isPayment(type)) return await pay(client, type, target);
  const id = await (type === CREATED ? create(client, target) : update(client, target));
  return { name: `the membership ${id}`, isIn: (event) => membershipOf(event) === id };
}

/** Grants a membership to a user without one, and returns its id. */
async function create(client: ControlClient, { until, ...target }: TriggerTarget): Promise<string> {
  const user = await findUser(client, target);
  const subject = await findSubject(client, target);
  const current = (await client.records('memberships')).find(
    (record) =>
      record.userId === user.id &&
      (subject.communityId === undefined
        ? record.productId === subject.productId
        : record.communityId === subject.communityId),
  );
  if (current !== undefined) {
    throw new CommandFailure(
      `${user.name} has this membership already, perhaps expired: ${current.id}. A change of it is ${UPDATED}.`,
    );
  }
  return await grant(client, { userId: user.id, ...subject }, until);
}

/** Grants a membership, or changes its period, and returns its id. */
async function grant(client: ControlClient, membership: object, until: number | undefined): Promise<string> {
  const validUntil = until === undefined ? undefined : formatTimestamp(until);
  return (await client.post<{ id: string }>('/memberships', { ...membership, validUntil }, 'id')).id;
}

/** Changes the expiry of a membership, and returns its id. */
async function update(client: ControlClient, { until, ...target }: TriggerTarget): Promise<string> {
  const membership = await findMembership(client, target);
  const id = String(membership.id);
  if (until === undefined) await client.post(`/memberships/${encodeURIComponent(id)}/end`);
  else await grant(client, grantOf(membership), until);
  return id;
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

function membershipOf({ body }: EventEntry): string | undefined {
  const { data } = body as { data?: { membership?: { id?: string } } };
  return data?.membership?.id;
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

/**
 * Buys for a user, and returns the test for the event.
 *
 * @throws CommandFailure if an object does not exist, or several plans could be meant.
 * @throws ControlFailure
 */
async function pay(
  client: ControlClient,
  type: string,
  target: TriggerTarget & PaymentTarget,
): Promise<{ name: string; isIn(event: EventEntry): boolean }> {
  const { method, externalId, utmSource, product } = target;
  const user = await findUser(client, target);
  const subject =
    product === undefined ? { pricingPlanId: await findPlan(client, target) } : { productId: product };
  const result = type === FAILED ? 'declined' : 'paid';
  const purchase = { userId: user.id, ...subject, result, method, externalId, utmSource };
  await client.post('/purchases', purchase, 'method');
  return { name: `a purchase by ${user.name}`, isIn: (event) => buyerOf(event) === user.id };
}

async function findPlan(client: ControlClient, { plan, community }: TriggerTarget & PaymentTarget) {
  const plans = (await client.records('plans')).filter(
    ({ communityId, archivedAt }) =>
      (archivedAt ?? null) === null && (community === undefined || communityId === community.toLowerCase()),
  );
  const [only, ...others] = plan === undefined ? plans : plans.filter(({ id }) => id === plan.toLowerCase());
  if (only !== undefined && others.length === 0) return String(only.id);
  throw new CommandFailure(
    plan === undefined
      ? `Choose the --plan to buy. ${choices('plans', plans)}`
      : `The sandbox sells no plan ${quoted(plan)}. ${choices('plans', plans)}`,
  );
}

function buyerOf({ body }: EventEntry): string | undefined {
  const { data } = body as { data?: { user?: { sub?: string } } };
  return data?.user?.sub;
}
