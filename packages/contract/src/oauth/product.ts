import { SELLER_PRODUCT_TYPES } from '../shapes/product-type.js';
import {
  described,
  type Emitted,
  growingSetSchemas,
  listSchemas,
  nullableSchemas,
  objectSchemas,
  textSchemas,
  uuidSchemas,
} from '../shapes/response-schemas.js';

/** A product that the user created as a seller (spec, "Seller product (OAuth view)"). */
export const productSchemas = objectSchemas({
  id: described(uuidSchemas, 'Id of the product.'),
  name: described(textSchemas, 'Display name.'),
  slug: described(textSchemas, 'Last segment of the storefront URL.'),
  type: described(
    nullableSchemas(growingSetSchemas(SELLER_PRODUCT_TYPES)),
    'Kind of product. Null for older products.',
  ),
});

/** Response of `GET /oauth/products`: all products, without pagination. */
export const productListSchemas = objectSchemas({
  products: described(listSchemas(productSchemas), 'All products that the user created as a seller.'),
});

export type Product = Emitted<typeof productSchemas>;
