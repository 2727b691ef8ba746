import type { LatchkeyClient } from '@latchkey/client';
import { uuidField } from '@latchkey/contract';
import { UTM_SOURCE_MAX_LENGTH } from '@latchkey/contract/constants';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { hasMethods, LatchkeyOptionsError, problemsOfIssue } from '../platform/errors.js';

/**
 * A pricing plan that the site sells. The API has no list of plans, so the site configures what visitors see. The
 * service charges its own price: `price` and `term` are only shown.
 */
export interface CheckoutPlan {
  /** Id of the pricing plan at the service, a UUID. */
  id: string;
  /** Id of the community that the plan belongs to, a UUID. */
  communityId: string;
  name: string;
  /** Price as visitors see it, for example `€9`. */
  price: string;
  /** Term as visitors see it, for example `per month`. */
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
const plansSchema = z
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

/**
 * What a page of the checkout is about:
 * - `cancelled`: the visitor came back without a payment.
 * - `email_required`, `email_invalid`: the account has no email address, so the visitor types one.
 * - `already_member`: the visitor has what the plan sells.
 * - `plan_unknown`: the site doesn't sell this plan.
 * - `refused`: the service rejected the API key or the plan. The log says why.
 * - `unavailable`: the service doesn't respond.
 * - `other_account`: the checkout was bound to an address that the visitor typed.
 * - `cross_site`, `invalid`: the request isn't an order from a page of this site.
 */
export type CheckoutState =
  | 'cancelled'
  | 'email_required'
  | 'email_invalid'
  | 'already_member'
  | 'plan_unknown'
  | 'refused'
  | 'unavailable'
  | 'other_account'
  | 'cross_site'
  | 'invalid';

/** Details for the option `page` of `auth.checkout`. */
export interface CheckoutPageDetails {
  state: CheckoutState;
  /** Heading. */
  title: string;
  /** The state, in sentences for the visitor. */
  message: string;
  /** Undefined for a plan that the site doesn't sell. */
  plan: CheckoutPlan | undefined;
  /** Path for a link: for a member to the page they wanted, else back to the page that offered the plan. */
  continueUrl: string;
  /**
   * A form that opens the checkout again: a POST to `action` with these fields. With `email_required`, it also needs a
   * field `email`. Undefined if another attempt would fail too.
   */
  form: { action: string; fields: Readonly<Record<string, string>> } | undefined;
}

/** The calls of a `LatchkeyClient` that the checkout uses. */
export type CheckoutClient = Pick<LatchkeyClient, 'buyPlan' | 'inviteLink'> &
  Partial<Pick<LatchkeyClient, 'toJSON'>>;

/** Options of `auth.inviteLink`. */
export interface InviteLinkOptions {
  /** Client with an API key that has `MEMBERSHIP_WRITE`. */
  client: CheckoutClient;
  /** The plans of `auth.checkout`. */
  plans: readonly CheckoutPlan[];
  /**
   * At least 32 random characters that sign the external ids of checkouts. In a list, the first signs, and all are
   * tried for invite links. Keep an old one for as long as members need the invite link of a purchase made with it.
   * @default the option `cookieSecret` of `latchkey()`
   */
  externalIdSecret?: string | readonly string[] | undefined;
}

/** Options of `auth.checkout`, which validates them when you call it. */
export interface CheckoutOptions extends InviteLinkOptions {
  /** Client with an API key that has `CHECKOUT_WRITE` and `MEMBERSHIP_WRITE`. The key's owner must administer the communities. */
  client: CheckoutClient;
  /** Pricing plans for sale. */
  plans: readonly CheckoutPlan[];
  /** Appears in the service's purchase reports. At most 100 characters. */
  utmSource?: string | undefined;
  /**
   * How long a request for the return page is held while the service is polled, in seconds.
   * @default 4
   */
  holdSeconds?: number | undefined;
  /**
   * How long after the visitor's return the return page reloads itself, in seconds.
   * @default 15
   */
  waitSeconds?: number | undefined;
  /**
   * Custom page in place of the built-in ones. Status and caching headers are already set when it's called; it sends
   * the body. It may be async.
   */
  page?: ((request: Request, response: Response, details: CheckoutPageDetails) => unknown) | undefined;
}

const SECRET_ADVICE =
  'must be a string of at least 32 random characters, or a list of such strings of which the first signs.';
const secret = z.string({ error: SECRET_ADVICE }).min(32, { error: SECRET_ADVICE });

const MAX_SECONDS = 60;
const SECONDS_ADVICE = `must be a number of seconds from 0 to ${MAX_SECONDS}.`;
const seconds = z
  .number({ error: SECONDS_ADVICE })
  .min(0, { error: SECONDS_ADVICE })
  .max(MAX_SECONDS, { error: SECONDS_ADVICE });

export const inviteLinkSchema = z.strictObject({
  client: clientWith(['inviteLink']),
  plans: plansSchema,
  externalIdSecret: z
    .union([secret, z.array(secret).nonempty({ error: SECRET_ADVICE })], { error: SECRET_ADVICE })
    .optional(),
});

export const checkoutSchema = inviteLinkSchema.extend({
  client: clientWith(['buyPlan', 'inviteLink']),
  utmSource: z
    .string({ error: 'must be a text.' })
    .min(1, { error: 'must not be empty. Omit it instead.' })
    .max(UTM_SOURCE_MAX_LENGTH, { error: `must have at most ${UTM_SOURCE_MAX_LENGTH} characters.` })
    .optional(),
  holdSeconds: seconds.default(4),
  waitSeconds: seconds.default(15),
  page: z
    .custom<CheckoutOptions['page']>((value) => typeof value === 'function', {
      error: 'must be a function (request, response, details).',
    })
    .optional(),
});

/** Validated options of `auth.checkout`. Ids of plans are in lower case. */
export type CheckoutSettings = z.infer<typeof checkoutSchema>;

export type InviteLinkSettings = z.infer<typeof inviteLinkSchema>;

/**
 * Checks the options of a function.
 * @param name name of the function, for error messages.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function readCheckoutOptions<Settings>(
  schema: z.ZodType<Settings>,
  options: unknown,
  name: string,
): Settings {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const unknownKey = `is not an option of ${name}(). Check the spelling.`;
  throw new LatchkeyOptionsError(parsed.error.issues.flatMap((issue) => problemsOfIssue(issue, unknownKey)));
}

function clientWith(methods: readonly string[]) {
  const error = `is required: a LatchkeyClient of @latchkey/client, with the methods ${methods.join(' and ')}.`;
  return z.custom<CheckoutClient>((value) => hasMethods(value, methods), { error });
}
