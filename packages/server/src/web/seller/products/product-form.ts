import { priceInput } from '../../../domain/catalogue/price.js';
import { type ProductSettings, productSchema } from '../../../domain/catalogue/product.js';
import { type FormResult, parseForm, UnreadableText } from '../../ui/parts/form.js';
import { priceOf } from '../plans/plan-form.js';
import type { ProductFields } from './product-form-fields.js';

/** Initial values of the form of a new product. */
export const EMPTY_PRODUCT: ProductFields = {
  name: '',
  slug: '',
  type: '',
  description: '',
  price: '',
  currency: 'EUR',
};

/** Returns the form values of an existing product. */
export function fieldsOfProduct({ name, slug, type, description, price }: ProductSettings): ProductFields {
  return {
    name,
    slug,
    type: type ?? '',
    description: description ?? '',
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
    // Browsers send CR LF.
    description: (form.get('description') ?? '').replaceAll('\r\n', '\n'),
    price: form.get('price') ?? '',
    currency: form.get('currency') ?? '',
  };
}

/** Validates the form of a product. */
export function readProduct({
  name,
  slug,
  type,
  description,
  price,
  currency,
}: ProductFields): FormResult<ProductSettings> {
  const values = {
    name,
    slug,
    type: type === '' ? null : type,
    description: description.trim() === '' ? null : description,
    price: productPriceOf(price, currency),
  };
  return parseForm(productSchema, values, { 'price.currency': 'currency' });
}

/** Returns the price with its currency, or null for a blank field. */
function productPriceOf(text: string, currency: string) {
  if (text.trim() === '') return null;
  const priceMinor = priceOf(text, currency);
  return priceMinor instanceof UnreadableText ? priceMinor : { priceMinor, currency };
}
