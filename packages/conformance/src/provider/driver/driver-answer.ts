import * as z from 'zod';
import { Missing } from '../outcome/outcome-errors.js';
import type { DriverAction, DriverAnswers } from './driver.js';

const nothing = z.looseObject({}).transform((): Readonly<Record<string, never>> => ({}));

/** Schemas of the answers. Unknown fields are ignored. */
const ANSWERS: { readonly [Action in DriverAction]: z.ZodType<DriverAnswers[Action]> } = {
  authorize: z.object({ location: z.url() }),
  pay: nothing,
  advance: nothing,
  createKey: z.object({ keyId: z.string().min(1), apiKey: z.string().min(1) }),
  revokeKey: nothing,
  registerClient: z.object({ clientId: z.string().min(1), clientSecret: z.string().optional() }),
  createWebhook: z.object({ webhookId: z.string().min(1), secret: z.string().min(1) }),
  saveWebhook: z.object({ secret: z.string().min(1) }),
  join: z.object({ admitted: z.boolean() }),
  buyProduct: nothing,
  salesReport: z.object({ text: z.string() }),
};

/**
 * Validates the answer of a driver: the fields of the action, or `error` with the reason.
 *
 * @throws Missing
 */
export function driverAnswer<Action extends DriverAction>(
  action: Action,
  answer: unknown,
): DriverAnswers[Action] {
  const failure = z.object({ error: z.string() }).safeParse(answer);
  if (failure.success) throw new Missing(`the driver failed at ${action}: ${failure.data.error}`);
  const result = ANSWERS[action].safeParse(answer);
  if (result.success) return result.data;
  throw new Missing(
    `the driver answered ${action} without ${result.error.issues[0]?.path.join('.') || 'an object'}`,
  );
}
