import { SELLER_PRODUCT_TYPES, type SellerProductType } from '@latchkey/contract/constants';
import * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { defineRecords } from '../fields/define-records.js';
import { defineResource } from '../fields/define-resource.js';
import { idOf, NAME, NEW_ID, textField } from '../fields/fields.js';
import { CURRENCY, priceMinorField } from '../plans/price.js';

const SLUG_MAX_LENGTH = 100;

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const SLUG_MESSAGE = phrase(
  'Enter lower-case letters a to z, digits and single hyphens, at most 100 characters: the-brew-guide.',
);

const slugField = z
  .string(SLUG_MESSAGE)
  .trim()
  .regex(SLUG, { error: SLUG_MESSAGE, abort: true })
  .max(SLUG_MAX_LENGTH, SLUG_MESSAGE);

const DESCRIPTION_MAX_LENGTH = 1_000;

export const PRODUCT_TYPES: Readonly<Record<SellerProductType, string>> = {
  ebook: phrase('E-book'),
  course: phrase('Course'),
  video: phrase('Video'),
  audio: phrase('Audio'),
  document: phrase('Document'),
  consultation: phrase('Consultation'),
  other: phrase('Other'),
};

export function productTypeInWords(type: SellerProductType | null): string {
  return t(type === null ? 'Product' : PRODUCT_TYPES[type]);
}

export const productResource = defineResource({
  fields: {
    name: NAME,
    slug: {
      schema: slugField,
      label: phrase('Slug'),
      hint: phrase(
        'Part of URLs: lower-case letters, digits and hyphens. It must be unique among your products.',
      ),
      maxLength: SLUG_MAX_LENGTH,
      control: 'literal',
    },
    /** Null for products from before types existed. */
    type: {
      schema: z.enum(SELLER_PRODUCT_TYPES, phrase('Choose a type from the list.')).nullable(),
      initial: null,
      label: phrase('Type'),
      control: 'select',
      choices: { '': phrase('None'), ...PRODUCT_TYPES },
    },
    /** Shown on the product's page, with its line breaks. Null if there is none. */
    description: {
      schema: textField(phrase('description'), DESCRIPTION_MAX_LENGTH, 'many').nullable(),
      initial: null,
      label: phrase('Description'),
      hint: phrase('Shown on the product’s page, at most 1,000 characters.'),
      rows: 4,
    },
    priceMinor: {
      schema: priceMinorField.nullable(),
      initial: null,
      isMoney: true,
      label: phrase('Price'),
      hint: phrase('For example 9.50 or 9,50. Leave blank if it is not for sale.'),
    },
    currency: CURRENCY,
  },
});

export type ProductSettings = z.output<typeof productResource.create>;

export const productRecords = defineRecords({
  one: 'product',
  table: 'products',
  columns: ['id', 'owner_id', ...productResource.fields.map(({ column }) => column), 'created_at'],
  searched: ['id', 'name', 'slug', 'type'],
  owners: ['ownerId'],
  fields: {
    ...productResource.stated,
    id: NEW_ID,
    ownerId: { schema: idOf('Seller').schema, label: 'Seller', about: 'Id of the seller.' },
  },
  create: 'Creates a product of a seller.',
  change: 'Changes a product, or gives it to another seller with its buyers and its sales.',
  end: { summary: 'Deletes a product that was never sold.', button: 'Delete product', isFinal: true },
});
