import { defineRecords } from '../fields/define-records.js';
import { idOf } from '../fields/fields.js';

/** Checkouts before their payment. An unpaid one expires by itself, so there is nothing to change or to end. */
export const reservationRecords = defineRecords({
  one: 'reservation',
  table: 'checkout_reservations',
  columns: [
    ...['id', 'user_id', 'community_id', 'pricing_plan_id', 'product_id', 'caller_id', 'external_id'],
    ...['utm_source', 'created_at', 'paid_at', 'membership_id'],
  ],
  searched: ['id', 'user_id', 'external_id', 'utm_source'],
  owners: ['userId', 'communityId', 'productId', 'pricingPlanId'],
  fields: {
    userId: idOf('Buyer'),
    pricingPlanId: { ...idOf('Plan'), isOptional: true },
    productId: { ...idOf('Product'), isOptional: true },
  },
  rule: {
    holds: ({ pricingPlanId, productId }) => (pricingPlanId === undefined) !== (productId === undefined),
    path: 'pricingPlanId',
    error: 'Enter either a plan or a product.',
  },
  create: 'Reserves a plan or a product for a user, and returns the address of its checkout.',
});
