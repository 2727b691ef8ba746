import { SELLER_PRODUCT_TYPES, type SellerProductType } from '@latchkey/contract/constants';
import { priceInput } from '../../../domain/catalogue/price.js';
import { type ProductSettings, SLUG_MAX_LENGTH, slugField } from '../../../domain/catalogue/product.js';
import { FormErrors, type FormResult, formResult } from '../../ui/form-errors.js';
import { readCurrency, readPrice } from '../plans/plan-form.js';
import type { ProductFields } from './product-form-fields.js';

/** What the fields of a new product show at first. */
export const EMPTY_PRODUCT: ProductFields = { name: '', slug: '', type: '', price: '', currency: 'EUR' };

/** What the fields of a product show that there is. */
export function fieldsOfProduct({ name, slug, type, price }: ProductSettings): ProductFields {
  return {
    name,
    slug,
    type: type ?? '',
    price: price === null ? '' : priceInput(price.priceMinor, price.currency),
    currency: price?.currency ?? EMPTY_PRODUCT.currency,
  };
}

/** The fields as they were typed. */
export function typedProduct(form: URLSearchParams): ProductFields {
  return {
    name: form.get('name') ?? '',
    slug: form.get('slug') ?? '',
    type: form.get('type') ?? '',
    price: form.get('price') ?? '',
    currency: form.get('currency') ?? '',
  };
}

/** Reads the fields of a product. */
export function readProduct(fields: ProductFields): FormResult<ProductSettings> {
  const list = new FormErrors();
  const name = list.takeName(fields.name);
  const slug = list.take(slugField.safeParse(fields.slug).data, '', {
    field: 'slug',
    message: `Enter small letters a to z, digits and single hyphens, at most ${SLUG_MAX_LENGTH}: the-brew-guide.`,
  });
  const type = list.take<SellerProductType | null>(asType(fields.type), null, {
    field: 'type',
    message: 'Choose a kind from the list.',
  });
  const currency = readCurrency(list, fields.currency);
  const price =
    fields.price.trim() === '' ? null : { priceMinor: readPrice(list, fields.price, currency), currency };
  return formResult({ name, slug, type, price }, list.errors);
}

function asType(text: string): SellerProductType | null | undefined {
  return text === '' ? null : SELLER_PRODUCT_TYPES.find((type) => type === text);
}
