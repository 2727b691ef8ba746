import {
  changePlan,
  changeProduct,
  deleteProduct,
  planResource,
  productResource,
} from '@latchkey/server/extension';
import * as z from 'zod';
import { unknown } from '../../access/control-failure.js';
import { parseInput } from '../../access/parse-input.js';
import { asRecord, requireRow } from '../records/records.js';
import { actingOwner, defined, flag, idText, newId, recordWrites, refused } from './record-writes.js';

export const planWrites = recordWrites({
  create: {
    summary: 'Creates a plan of a community.',
    body: planResource.create.safeExtend({ id: newId, communityId: idText }).strict(),
    run: (plan, { operator }) => operator.createPricingPlan(defined(plan)),
  },
  edit: {
    summary: 'Changes name, price and texts for later sales, and whether the plan is sold.',
    body: z.strictObject({
      ...planResource.change.partial().shape,
      archived: flag.describe('An archived plan is not sold.'),
    }),
    async run(id, { archived, ...changes }, context) {
      await changePlanOf(
        id,
        { ...defined(changes), ...archivedChange(archived, context.clock.now()) },
        context,
      );
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

export const productWrites = recordWrites({
  create: {
    summary: 'Creates a product of a seller.',
    body: z.strictObject({ id: newId, ownerId: idText.describe('Seller.'), ...productResource.create.shape }),
    run: (product, { operator }) => operator.createProduct(defined(product)),
  },
  edit: {
    summary: 'Changes a product.',
    body: z.strictObject(productResource.change.partial().shape),
    async run(id, changes, { db, clock }) {
      const row = await requireRow(db, 'products', id);
      const current = asRecord('products', row, clock.now());
      const product = parseInput(productResource.create, {
        ...current,
        currency: current.currency ?? undefined,
        ...defined(changes),
      });
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
