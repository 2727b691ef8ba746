import { SELLER_PRODUCT_TYPES, type SellerProductType } from '@latchkey/contract/constants';
import * as z from 'zod';
import { defineResource } from '../fields/define-resource.js';
import { NAME, textField } from '../fields/fields.js';
import { CURRENCY, priceMinorField } from '../plans/price.js';

/** Maximum length of a slug, in characters. */
const SLUG_MAX_LENGTH = 100;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SLUG_MESSAGE = `Enter lower-case letters a to z, digits and single hyphens, at most ${SLUG_MAX_LENGTH} characters: the-brew-guide.`;

/** Storefront slug: lower-case letters, digits and single hyphens between them. */
const slugField = z
  .string(SLUG_MESSAGE)
  .trim()
  .regex(SLUG, { error: SLUG_MESSAGE, abort: true })
  .max(SLUG_MAX_LENGTH, SLUG_MESSAGE);

const DESCRIPTION_MAX_LENGTH = 1_000;

export function productTypeInWords(type: SellerProductType | null): string {
  if (type === null) return 'Product';
  return type === 'ebook' ? 'E-book' : `${type.charAt(0).toUpperCase()}${type.slice(1)}`;
}

/** A product of a seller. */
export const productResource = defineResource({
  fields: {
    name: NAME,
    /** Unique among the seller's products. */
    slug: {
      schema: slugField,
      label: 'Slug',
      hint: 'Part of URLs: lower-case letters, digits and hyphens. It must be unique among your products.',
      maxLength: SLUG_MAX_LENGTH,
      control: 'literal',
    },
    /** Null for products from before types existed. */
    type: {
      schema: z.enum(SELLER_PRODUCT_TYPES, 'Choose a type from the list.').nullable(),
      initial: null,
      label: 'Type',
      control: 'select',
      choices: {
        '': 'None',
        ...Object.fromEntries(SELLER_PRODUCT_TYPES.map((type) => [type, productTypeInWords(type)])),
      },
    },
    /** Shown on the product's page, with its line breaks. Null for none. */
    description: {
      schema: textField('description', DESCRIPTION_MAX_LENGTH, 'many').nullable(),
      initial: null,
      label: 'Description',
      hint: `Shown on the product’s page, at most ${DESCRIPTION_MAX_LENGTH.toLocaleString('en')} characters.`,
      control: 'lines',
    },
    /** Null if the product is not for sale. */
    priceMinor: {
      schema: priceMinorField.nullable(),
      initial: null,
      isMoney: true,
      label: 'Price',
      hint: 'For example 9.50 or 9,50. Leave blank if it is not for sale.',
    },
    currency: CURRENCY,
  },
});

/** Settings of a product. */
export type ProductSettings = z.output<typeof productResource.create>;
