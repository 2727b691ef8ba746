import { SELLER_PRODUCT_TYPES } from '@latchkey/contract/constants';
import {
  changePlan,
  changeProduct,
  deleteProduct,
  planChangeSchema,
  productSchema,
} from '@latchkey/server/extension';
import * as z from 'zod';
import { unknown } from '../../access/control-failure.js';
import { parseInput } from '../../access/parse-input.js';
import { requireRow } from '../records/records.js';
import {
  actingOwner,
  defined,
  flag,
  idText,
  nameText,
  newId,
  recordWrites,
  refused,
} from './record-writes.js';

/** Amount in the minor unit of the currency. */
const priceMinor = z
  .int('Enter a whole number, in the minor unit of the currency.')
  .describe('In the minor unit of the currency, such as cents.');

/** ISO 4217 code. */
const currency = z
  .string('Enter an ISO 4217 currency code such as EUR.')
  .trim()
  .toUpperCase()
  .optional()
  .describe('ISO 4217, by default EUR.');

const planTexts = {
  description: z.string('Enter a text.').nullable().optional().describe('At most 200 characters.'),
  benefits: z
    .array(z.string('Enter a text.'), 'Enter a list of benefits.')
    .optional()
    .describe('At most 8 lines of at most 80 characters.'),
};

export const planWrites = recordWrites({
  create: {
    summary: 'Creates a plan of a community.',
    body: z.strictObject({
      id: newId,
      communityId: idText,
      name: nameText,
      priceMinor,
      currency,
      periodDays: z.int('Enter whole days.').nullable().optional().describe('Null is lifetime access.'),
      renews: flag.describe('A subscription renews it.'),
      provider: z.enum(['card', 'crypto'], 'Choose card or crypto.').optional(),
      ...planTexts,
    }),
    run: (plan, { operator }) => operator.createPricingPlan(defined(plan)),
  },
  edit: {
    summary: 'Changes name, price and texts for later sales, and whether the plan is sold.',
    body: z.strictObject({
      name: nameText.optional(),
      priceMinor: priceMinor.optional(),
      ...planTexts,
      archived: flag.describe('An archived plan is not sold.'),
    }),
    async run(id, { archived, ...changes }, context) {
      const change = defined(parseInput(planChangeSchema.partial(), changes));
      await changePlanOf(id, { ...change, ...archivedChange(archived, context.clock.now()) }, context);
      return {};
    },
  },
  end: {
    summary: 'Archives a plan: it can no longer be bought, and members keep access.',
    run: (id, context) => changePlanOf(id, { archivedAt: context.clock.now() }, context),
  },
});

function archivedChange(archived: boolean | undefined, now: number): { archivedAt?: number | null } {
  return archived === undefined ? {} : { archivedAt: archived ? now : null };
}

async function changePlanOf(
  planId: string,
  change: Parameters<typeof changePlan>[2]['change'],
  { db }: { db: Parameters<typeof changePlan>[0] },
): Promise<void> {
  const plan = await requireRow(db, 'plans', planId);
  const isArchived = plan.archived_at !== null;
  // A plan that is archived again keeps the time of its archiving.
  const kept =
    isArchived && typeof change.archivedAt === 'number' ? { archivedAt: Number(plan.archived_at) } : {};
  const actor = await actingOwner(db, String(plan.community_id));
  await changePlan(db, actor, { planId, change: { ...change, ...kept } });
}

const productFields = z.strictObject({
  name: nameText,
  slug: z.string('Enter a slug such as the-brew-guide.'),
  type: z.enum(SELLER_PRODUCT_TYPES, 'Choose a type from the list.').nullable().optional(),
  description: z
    .string('Enter a text.')
    .nullable()
    .optional()
    .describe('At most 1000 characters, with line feeds.'),
  priceMinor: priceMinor.nullable().optional().describe('Null: the product is not for sale.'),
  currency,
});

export const productWrites = recordWrites({
  create: {
    summary: 'Creates a product of a seller.',
    body: z.strictObject({ id: newId, ownerId: idText.describe('Seller.'), ...productFields.shape }),
    run: (product, { operator }) => operator.createProduct(defined(product)),
  },
  edit: {
    summary: 'Changes a product.',
    body: productFields.partial(),
    async run(id, changes, { db }) {
      const row = await requireRow(db, 'products', id);
      const now = { priceMinor: row.price_minor, currency: row.currency ?? 'EUR', ...defined(changes) };
      const price = now.priceMinor === null ? null : { priceMinor: now.priceMinor, currency: now.currency };
      const { name, slug, type, description } = row;
      const current = { name, slug, type, description };
      const product = parseInput(productSchema, { ...current, ...defined(changes), price });
      const result = await changeProduct(db, { productId: id, userId: String(row.owner_id) }, product);
      if (result.kind === 'slug-taken') {
        const message = 'Another product of the seller has this slug. Enter a different one.';
        throw refused(message, 'slug');
      }
      return {};
    },
  },
  end: {
    summary: 'Deletes a product that was never sold.',
    async run(id, { db }) {
      const { owner_id } = await requireRow(db, 'products', id);
      const result = await deleteProduct(db, { productId: id, userId: String(owner_id) });
      if (result.kind === 'unknown') throw unknown('product', id);
      if (result.kind === 'in-use') {
        throw refused(
          'The product has members or payments, so the service keeps it. Remove its price to end its sale.',
        );
      }
    },
  },
});
