import { SELLER_PRODUCT_TYPES } from '../product-type.js';
import {
  described,
  type Emitted,
  growingSetViews,
  listViews,
  nullableViews,
  objectViews,
  type Received,
  textViews,
  uuidViews,
} from '../response-views.js';

/** A product that the user created as a seller (spec, "Seller product (OAuth view)"). */
export const productViews = objectViews({
  id: described(uuidViews, 'The product.'),
  name: described(textViews, 'Display name.'),
  slug: described(textViews, 'Storefront URL slug.'),
  type: described(nullableViews(growingSetViews(SELLER_PRODUCT_TYPES)), 'Null for older products.'),
});

/** Answer of `GET /oauth/products`: complete, not paginated. */
export const productListViews = objectViews({
  products: described(listViews(productViews), 'Complete; what the user created as a seller.'),
});

/** A seller's product as the service emits it. */
export type Product = Emitted<typeof productViews>;

/** A seller's product as a caller reads it. */
export type ReceivedProduct = Received<typeof productViews>;
