import { SEED } from '../../soak/world/seed.js';
import {
  add,
  type Corruption,
  changeCall,
  iso,
  productCall,
  productMembership,
  purchaseEvent,
  SHOPPER_EMAIL,
  webhook,
  withoutEvent,
} from './sample-soak.js';

const EVENT = 'event-bought';
const paysNever = changeCall(1_840, { output: { result: 'declined' } });

/** Replaces the event of the purchase. */
const changePurchase = (change: object): Corruption[1] => {
  return (entries) => [...withoutEvent(EVENT)(entries), purchaseEvent(1_870, { ...change })];
};

/** Corruptions of a purchase of the product in the sample log. */
export const PRODUCT_CORRUPTIONS: Record<string, Corruption> = {
  'a product that was bought twice': [
    'product is bought once',
    add(purchaseEvent(1_880, { id: 'event-again' })),
  ],
  'the purchase of a product without a payment': [
    'event has a cause',
    (entries) =>
      paysNever(entries).filter(
        (entry) => entry.kind !== 'call' || (entry.op !== 'product-page' && entry.op !== 'memberships'),
      ),
  ],
  'a purchase event that was lost': ['event is delivered', withoutEvent(EVENT)],
  'the membership event of a purchase that was lost': ['event is delivered', withoutEvent('event-product')],
  'a membership of a product that nobody bought': [
    'event has a cause',
    add(
      webhook('event-gift', 'membership.created', 1_990, {
        membership: productMembership({ id: 'gift' }),
        productId: 'product',
      }),
    ),
  ],
  'a product whose membership changed after the purchase': [
    'product is bought once',
    add(
      webhook('event-change', 'membership.updated', 1_990, {
        membership: productMembership(),
        productId: SEED.product.id,
        user: { email: SHOPPER_EMAIL },
      }),
    ),
  ],
  'a failed payment of a product': [
    'event has a cause',
    add(webhook('event-failed', 'payment.failed', 1_800, { externalId: null })),
  ],
  'a purchase event with another price': ['purchase event is true', changePurchase({ amount: 1 })],
  'a purchase event in another currency': ['purchase event is true', changePurchase({ currency: 'EUR' })],
  'a purchase event about another product': [
    'purchase event is true',
    changePurchase({ product: { id: 'other' } }),
  ],
  'a purchase event with access for a day': [
    'purchase event is true',
    changePurchase({ membership: productMembership({ validUntil: iso(86_400_000) }) }),
  ],
  'a purchase event of an inactive membership': [
    'purchase event is true',
    changePurchase({ membership: productMembership({ isActive: false }) }),
  ],
  'a purchase event of a community': [
    'purchase event is true',
    changePurchase({ membership: productMembership({ productType: 'community' }) }),
  ],
  'a product that is owned before the payment': [
    'product access follows the payment',
    changeCall(1_710, { output: { access: 'owned' } }),
  ],
  'a checkout that is owned before the payment': [
    'product access follows the payment',
    changeCall(1_780, { output: { result: 'owned' } }),
  ],
  'a list with the product before the payment': [
    'product access follows the payment',
    add({
      ...productCall('memberships', 1_715, { output: { memberships: [productMembership()] } }),
      input: { access: 's0' },
    }),
  ],
  'a product that is offered again after the payment': [
    'product access follows the payment',
    changeCall(1_900, { output: { access: 'none' } }),
  ],
  'a list without the product after the payment': [
    'product access follows the payment',
    changeCall(1_960, { output: { memberships: [] } }),
  ],
  'a list with another membership of the product': [
    'product access follows the payment',
    changeCall(1_960, { output: { memberships: [productMembership({ id: 'other' })] } }),
  ],
  'a product whose access ends': [
    'product access follows the payment',
    changeCall(1_960, { output: { memberships: [productMembership({ validUntil: iso(86_400_000) })] } }),
  ],
};
