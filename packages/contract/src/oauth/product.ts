import { SELLER_PRODUCT_TYPES } from '../product-type.js';
import {
  described,
  type Emitted,
  growingSetSchemas,
  listSchemas,
  nullableSchemas,
  objectSchemas,
  textSchemas,
  uuidSchemas,
} from '../response-schemas.js';

/** A product that the user created as a seller (spec, "Seller product (OAuth view)"). */
export const productSchemas = objectSchemas({
  id: described(uuidSchemas, 'The product.'),
  name: described(textSchemas, 'Display name.'),
  slug: described(textSchemas, 'Storefront URL slug.'),
  type: described(nullableSchemas(growingSetSchemas(SELLER_PRODUCT_TYPES)), 'Null for older products.'),
});

/** Answer of `GET /oauth/products`: complete, not paginated. */
export const productListSchemas = objectSchemas({
  products: described(listSchemas(productSchemas), 'Complete; what the user created as a seller.'),
});

/** A seller's product as the service emits it. */
export type Product = Emitted<typeof productSchemas>;
