import { randomUUID } from 'node:crypto';
import type { SellerProductType } from '@latchkey/contract/constants';
import type { Needs } from '../../app/services.js';
import { currencyField, priceMinorField } from '../catalogue/price.js';
import { pricingPlanSchema } from '../catalogue/pricing-plan.js';
import { insertPricingPlan } from '../catalogue/pricing-plans.js';
import { productSchema } from '../catalogue/product.js';
import { handOverProduct, insertProduct } from '../catalogue/products.js';
import { idField } from '../fields/identifiers.js';
import { alreadyExists, notFound } from './operator-error.js';
import { parseInput } from './parse-input.js';
import { requireCommunity, requireUser } from './require-entity.js';

/** Product to create. */
export interface CreateProduct {
  /** @default a new UUID */
  id?: string;
  /** Seller. */
  ownerId: string;
  name: string;
  /** Storefront URL slug, unique among the seller's products. */
  slug: string;
  /** @default null, as for products from before types existed */
  type?: SellerProductType | null;
  /**
   * At most 1000 characters, with line feeds.
   *
   * @default null
   */
  description?: string | null;
  /**
   * Price in the currency's minor unit, such as cents.
   *
   * @default null: the product is not for sale
   */
  priceMinor?: number | null;
  /**
   * ISO 4217.
   *
   * @default "EUR"
   */
  currency?: string;
}

/** Product that gets another seller. */
export interface HandOverProduct {
  productId: string;
  /** New seller. */
  ownerId: string;
}

/** Pricing plan to create. */
export interface CreatePricingPlan {
  /** @default a new UUID */
  id?: string;
  communityId: string;
  name: string;
  /** Price in the currency's minor unit, such as cents. */
  priceMinor: number;
  /**
   * ISO 4217.
   *
   * @default "EUR"
   */
  currency?: string;
  /**
   * Days of access per payment.
   *
   * @default null: lifetime access
   */
  periodDays?: number | null;
  /**
   * True if a subscription renews the plan. Requires `periodDays`.
   *
   * @default false
   */
  renews?: boolean;
  /**
   * Payment method of the plan's checkouts.
   *
   * @default "card"
   */
  provider?: 'card' | 'crypto';
  /**
   * Sentence about the plan, at most 200 characters.
   *
   * @default null
   */
  description?: string | null;
  /**
   * Benefits for members: at most 8 lines of at most 80 characters.
   *
   * @default []
   */
  benefits?: readonly string[];
}

/** Operator calls for products and pricing plans. */
export interface CatalogueOperator {
  createProduct(product: CreateProduct): Promise<{ id: string }>;
  /**
   * Gives a product to another seller, with its buyers and its sales. Webhooks of the former seller receive no more of its events.
   *
   * @throws OperatorError `already_exists` if another product of the new seller has the same slug.
   */
  handOverProduct(handOver: HandOverProduct): Promise<void>;
  createPricingPlan(plan: CreatePricingPlan): Promise<{ id: string }>;
}

const createProductSchema = productSchema.omit({ price: true }).extend({
  id: idField,
  priceMinor: priceMinorField.nullable().default(null),
  currency: currencyField.default('EUR'),
});

const createPricingPlanSchema = pricingPlanSchema.safeExtend({ id: idField });

export function createCatalogueOperator({ db, clock }: Needs<'db' | 'clock'>): CatalogueOperator {
  return {
    async createProduct({ id = randomUUID(), ownerId, ...input }) {
      const { priceMinor, currency, ...product } = parseInput(createProductSchema, { id, ...input });
      await requireUser(db, ownerId, 'ownerId');
      const price = priceMinor === null ? null : { priceMinor, currency };
      if (!(await insertProduct(db, { ...product, ownerId, price }, clock.now()))) {
        throw alreadyExists(
          `Another product has the id ${product.id}, or another product of the seller has the slug "${product.slug}". Use different ones.`,
          { slug: 'Another product of the seller has this slug, or another product has the id.' },
        );
      }
      return { id: product.id };
    },

    async handOverProduct({ productId, ownerId }) {
      await requireUser(db, ownerId, 'ownerId');
      const { kind } = await handOverProduct(db, { productId, newOwnerId: ownerId });
      if (kind === 'unknown') throw notFound('product', productId, 'productId');
      if (kind === 'slug-taken') {
        throw alreadyExists(
          'Another product of the new seller has the same slug. Change one of the two slugs first.',
          {
            productId: 'Another product of the new seller has the same slug.',
          },
        );
      }
    },

    async createPricingPlan({ id = randomUUID(), communityId, ...input }) {
      const plan = parseInput(createPricingPlanSchema, { id, ...input });
      await requireCommunity(db, communityId);
      if (!(await insertPricingPlan(db, { ...plan, communityId, archivedAt: null }, clock.now()))) {
        throw alreadyExists(`Another pricing plan has the id ${plan.id}. Use a different one.`);
      }
      return { id: plan.id };
    },
  };
}
