import { SELLER_PRODUCT_TYPES } from '@latchkey/contract/constants';
import { productSchema } from '@latchkey/server/schemas';
import * as z from 'zod';
import { adminOperation } from './admin-operation.js';
import { idOf, newId, ownerId } from './ids.js';
import { name } from './names.js';

const newProduct = z.object({
  ownerId,
  name,
  slug: productSchema.shape.slug.meta({
    placeholder: 'slug',
    description: 'Name in the storefront’s URL, unique among the seller’s products.',
  }),
  type: productSchema.shape.type.meta({
    placeholder: 'type',
    defaultText: 'none',
    description: `Product type: ${SELLER_PRODUCT_TYPES.join(', ')}.`,
  }),
  description: productSchema.shape.description.meta({
    placeholder: 'text',
    defaultText: 'none',
    description: 'Text on the product’s page, at most 1000 characters.',
  }),
  id: newId,
});

export const createProduct = adminOperation({
  name: 'create-product',
  summary: 'Creates a seller’s product.',
  values: newProduct,
  example: '--owner-id 5eed0000-0000-4000-8000-00000000000d --name Guide --slug guide --type ebook',
  run: async (operator, product) => ({
    message: `Created the product ${product.name}.`,
    facts: await operator.createProduct(product),
  }),
});

export const handOverProduct = adminOperation({
  name: 'hand-over-product',
  summary: 'Gives a product to another seller, with its buyers and its sales.',
  values: z.object({ productId: idOf('Product’s id.'), ownerId: idOf('New seller’s user id.') }),
  example:
    '--product-id 5eed0000-0000-4000-8000-000000000002 --owner-id 5eed0000-0000-4000-8000-00000000000d',
  run: async (operator, handOver) => {
    await operator.handOverProduct(handOver);
    return { message: `Gave the product ${handOver.productId} to the user ${handOver.ownerId}.` };
  },
});
