import * as z from 'zod';

/** Milliseconds of the service's clock by which a delivery can be delayed: 30 days. */
const MAX_DELAY_MS = 30 * 24 * 3600_000;

export const DELIVERY_EFFECTS = [
  z.strictObject({ kind: z.literal('duplicate') }),
  z.strictObject({ kind: z.literal('delay'), ms: z.int().min(1).max(MAX_DELAY_MS) }),
  z.strictObject({ kind: z.literal('reorder') }),
  z.strictObject({ kind: z.literal('drop') }),
  z.strictObject({ kind: z.literal('wrong-signature') }),
] as const;

/** Change of a webhook delivery. */
export type DeliveryEffect = z.output<(typeof DELIVERY_EFFECTS)[number]>;

const KINDS: readonly string[] = DELIVERY_EFFECTS.map(({ shape }) => shape.kind.value);

/** True if the effect changes webhook deliveries and not calls. */
export function isDeliveryEffect<Effect extends { readonly kind: string }>(
  effect: Effect,
): effect is Extract<Effect, DeliveryEffect> {
  return KINDS.includes(effect.kind);
}
