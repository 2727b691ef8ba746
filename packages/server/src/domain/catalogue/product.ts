import { SELLER_PRODUCT_TYPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { nameField, textField } from '../fields/fields.js';
import { priceSchema } from './price.js';

/** Maximum length of a slug, in characters. */
const SLUG_MAX_LENGTH = 100;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SLUG_MESSAGE = `Enter lower-case letters a to z, digits and single hyphens, at most ${SLUG_MAX_LENGTH} characters: the-brew-guide.`;

/** Storefront slug: lower-case letters, digits and single hyphens between them. */
export const slugField = z
  .string(SLUG_MESSAGE)
  .trim()
  .regex(SLUG, { error: SLUG_MESSAGE, abort: true })
  .max(SLUG_MAX_LENGTH, SLUG_MESSAGE);

/** Settings of a product. */
export const productSchema = z.object({
  name: nameField,
  /** Unique among the seller's products. */
  slug: slugField,
  /** Null for products from before types existed. */
  type: z.enum(SELLER_PRODUCT_TYPES, 'Choose a type from the list.').nullable().default(null),
  /** Shown on the product's page, with its line breaks. Null for none. */
  description: textField('description', 1_000, 'many').nullable().default(null),
  /** Null if the product is not for sale. */
  price: priceSchema.nullable().default(null),
});

/** Settings of a product. */
export type ProductSettings = z.output<typeof productSchema>;
