import { SELLER_PRODUCT_TYPES, type SellerProductType } from '@latchkey/contract/constants';
import { priceInput } from '../../../domain/catalogue/price.js';
import { type ProductSettings, SLUG_MAX_LENGTH, slugField } from '../../../domain/catalogue/product.js';
import { FormErrors, type FormResult, formResult } from '../../ui/form-errors.js';
import { readCurrency, readPrice } from '../plans/plan-form.js';
import type { ProductFields } from './product-form-fields.js';

/** Initial values of the form of a new product. */
export const EMPTY_PRODUCT: ProductFields = { name: '', slug: '', type: '', price: '', currency: 'EUR' };

/** Returns the form values of an existing product. */
export function fieldsOfProduct({ name, slug, type, price }: ProductSettings): ProductFields {
  return {
    name,
    slug,
    type: type ?? '',
    price: price === null ? '' : priceInput(price.priceMinor, price.currency),
    currency: price?.currency ?? EMPTY_PRODUCT.currency,
  };
}

/** Returns the raw values of the form. */
export function typedProduct(form: URLSearchParams): ProductFields {
  return {
    name: form.get('name') ?? '',
    slug: form.get('slug') ?? '',
    type: form.get('type') ?? '',
    price: form.get('price') ?? '',
    currency: form.get('currency') ?? '',
  };
}

/** Validates the form of a product. */
export function readProduct(fields: ProductFields): FormResult<ProductSettings> {
  const list = new FormErrors();
  const name = list.takeName(fields.name);
  const slug = list.take(slugField.safeParse(fields.slug).data, '', {
    field: 'slug',
    message: `Enter at most ${SLUG_MAX_LENGTH} lower-case letters a to z, digits and single hyphens, for example the-brew-guide.`,
  });
  const type = list.take<SellerProductType | null>(asType(fields.type), null, {
    field: 'type',
    message: 'Choose a type from the list.',
  });
  const currency = readCurrency(list, fields.currency);
  const price =
    fields.price.trim() === '' ? null : { priceMinor: readPrice(list, fields.price, currency), currency };
  return formResult({ name, slug, type, price }, list.errors);
}

function asType(text: string): SellerProductType | null | undefined {
  return text === '' ? null : SELLER_PRODUCT_TYPES.find((type) => type === text);
}
