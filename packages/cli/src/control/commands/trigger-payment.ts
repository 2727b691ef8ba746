import type { EventEntry } from '@latchkey/sandbox';
import * as z from 'zod';
import { CommandFailure } from '../../command-line/command-failure.js';
import { quoted } from '../../command-line/quoted.js';
import { settingsRule } from '../../command-line/settings-rule.js';
import type { ControlClient } from '../client/control-client.js';
import { choices, findUser, type TriggerTarget } from './trigger-target.js';

const FAILED = 'payment.failed';
const PURCHASE = 'digital.product.purchase';
const PAYMENTS: readonly string[] = ['payment.success', FAILED, PURCHASE];

/** Purchase that causes an event. */
export interface PaymentTarget {
  readonly plan?: string;
  readonly method?: string;
  readonly externalId?: string;
  readonly utmSource?: string;
}

/** True if only a purchase causes the event. */
export function isPayment(type: string | undefined): boolean {
  return PAYMENTS.includes(type ?? '');
}

export const paymentFlags = {
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
export const paymentRules = [
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

/**
 * Buys for a user, and returns the test for the event.
 *
 * @throws CommandFailure if an object does not exist, or several plans could be meant.
 * @throws ControlFailure
 */
export async function pay(
  client: ControlClient,
  type: string,
  target: TriggerTarget & PaymentTarget,
): Promise<{ name: string; isIn(event: EventEntry): boolean }> {
  const { method, externalId, utmSource, product } = target;
  const user = await findUser(client, target);
  const subject =
    product === undefined ? { pricingPlanId: await findPlan(client, target) } : { productId: product };
  await client.buy({
    userId: user.id,
    ...subject,
    result: type === FAILED ? 'declined' : 'paid',
    ...(method !== undefined && { method }),
    ...(externalId !== undefined && { externalId }),
    ...(utmSource !== undefined && { utmSource }),
  });
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
