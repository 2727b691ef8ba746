import { uuidField } from '@latchkey/contract';
import { z } from 'zod';

/**
 * Pricing plan that the site sells. The API has no list of plans, so the site configures what visitors see. The service
 * charges its own price: `price` and `term` are texts only.
 */
export interface CheckoutPlan {
  /** Id of the pricing plan at the service, a UUID. */
  id: string;
  /** Id of the community that the plan belongs to, a UUID. */
  communityId: string;
  /** Name of the plan. */
  name: string;
  /** Price as visitors read it, for example `€9`. */
  price: string;
  /** Term as visitors read it, for example `per month`. */
  term: string;
  /** One or two sentences about the plan. */
  description?: string | undefined;
}

const TEXT_MAX_LENGTH = 200;
const DESCRIPTION_MAX_LENGTH = 2000;

const id = (advice: string) =>
  z.string({ error: advice }).transform((text, context) => {
    const parsed = uuidField.safeParse(text);
    if (parsed.success) return parsed.data.toLowerCase();
    context.addIssue({ code: 'custom', message: `${advice} Got ${JSON.stringify(text.slice(0, 100))}.` });
    return z.NEVER;
  });

const text = (example: string, maxLength = TEXT_MAX_LENGTH) =>
  z
    .string({ error: `must be a text such as ${example}.` })
    .trim()
    .min(1, { error: `must not be empty. Use a text such as ${example}.` })
    .max(maxLength, { error: `must have at most ${maxLength} characters.` });

const planSchema = z.strictObject({
  id: id('must be the UUID of a pricing plan. Copy it from the seller area.'),
  communityId: id(
    'must be the UUID of the community that the plan belongs to. Copy it from the seller area.',
  ),
  name: text('"Monthly"'),
  price: text('"€9"'),
  term: text('"per month"'),
  description: text('"All recipes and the chat."', DESCRIPTION_MAX_LENGTH).optional(),
});

/** Schema of the option `plans`: at least one plan, each id once. */
export const plansSchema = z
  .array(planSchema, { error: 'must be a list of plans: { id, communityId, name, price, term }.' })
  .nonempty({ error: 'must contain at least one plan: { id, communityId, name, price, term }.' })
  .superRefine((plans, context) => {
    for (const [index, plan] of plans.entries()) {
      const first = plans.findIndex((each) => each.id === plan.id);
      if (first === index) continue;
      context.addIssue({
        code: 'custom',
        path: [index, 'id'],
        message: `repeats the id of plans.${first}. List each pricing plan once.`,
      });
    }
  });
