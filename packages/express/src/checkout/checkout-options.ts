import type { LatchkeyClient } from '@latchkey/client';
import { UTM_SOURCE_MAX_LENGTH } from '@latchkey/contract/constants';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { LatchkeyOptionsError, type OptionProblem } from '../platform/options-error.js';
import type { CheckoutPageDetails } from './checkout-page-details.js';
import { type CheckoutPlan, plansSchema } from './checkout-plan.js';

/** Calls of a `LatchkeyClient` that the checkout uses. */
export type CheckoutClient = Pick<LatchkeyClient, 'buyPlan' | 'inviteLink'> &
  Partial<Pick<LatchkeyClient, 'toJSON'>>;

/** Options of `auth.inviteLink`. */
export interface InviteLinkOptions {
  /** Client whose API key has `MEMBERSHIP_WRITE`. */
  client: CheckoutClient;
  /** The plans of `auth.checkout`. */
  plans: readonly CheckoutPlan[];
  /**
   * At least 32 random characters that sign the external ids of checkouts. The first of a list signs, and all are tried
   * for invite links. Keep an old one as long as members need the invite link of a purchase made with it.
   * @default The option `cookieSecret` of `latchkey()`.
   */
  externalIdSecret?: string | readonly string[] | undefined;
}

/** Options of `auth.checkout`. They are checked when it is called. */
export interface CheckoutOptions extends InviteLinkOptions {
  /** Client whose API key has `CHECKOUT_WRITE` and `MEMBERSHIP_WRITE`, and whose owner administers the communities. */
  client: CheckoutClient;
  /** Pricing plans for sale. */
  plans: readonly CheckoutPlan[];
  /** Appears in the purchase reports of the service. At most 100 characters. */
  utmSource?: string | undefined;
  /**
   * Maximum time that a request of the return page is held while the service is polled, in seconds.
   * @default 4
   */
  holdSeconds?: number | undefined;
  /**
   * Time after the visitor's return during which the return page reloads itself, in seconds.
   * @default 15
   */
  waitSeconds?: number | undefined;
  /**
   * Custom page in place of the built-in ones. Status and caching headers are set before it is called; it sends the body.
   * It may be async.
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

/** Schema of the options of `auth.inviteLink`. */
export const inviteLinkSchema = z.strictObject({
  client: clientWith(['inviteLink']),
  plans: plansSchema,
  externalIdSecret: z
    .union([secret, z.array(secret).nonempty({ error: SECRET_ADVICE })], { error: SECRET_ADVICE })
    .optional(),
});

/** Schema of the options of `auth.checkout`. */
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

/** Validated options of `auth.inviteLink`. */
export type InviteLinkSettings = z.infer<typeof inviteLinkSchema>;

/**
 * Checks the options of a function.
 * @param name The function, for error messages.
 * @throws LatchkeyOptionsError that lists every invalid option.
 */
export function readCheckoutOptions<Settings>(
  schema: z.ZodType<Settings>,
  options: unknown,
  name: string,
): Settings {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new LatchkeyOptionsError(parsed.error.issues.flatMap((issue) => problemsOfIssue(issue, name)));
}

function problemsOfIssue(issue: z.core.$ZodIssue, name: string): OptionProblem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      option: path === '' ? key : `${path}.${key}`,
      message: `is not an option of ${name}(). Check the spelling.`,
    }));
  }
  return [{ option: path === '' ? 'options' : path, message: issue.message }];
}

function clientWith(methods: readonly string[]) {
  const error = `is required: a LatchkeyClient of @latchkey/client, with the methods ${methods.join(' and ')}.`;
  return z.custom<CheckoutClient>(
    (value) =>
      typeof value === 'object' &&
      value !== null &&
      methods.every((method) => typeof Reflect.get(value, method) === 'function'),
    { error },
  );
}
