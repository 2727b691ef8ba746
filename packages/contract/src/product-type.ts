/** What a membership is for (spec, "Membership (OAuth view)"). Zod-free. */
export const MEMBERSHIP_PRODUCT_TYPES = [
  'community',
  'digital_product',
  'clipping_campaign',
  'agency',
] as const;

/** What a membership is for. */
export type MembershipProductType = (typeof MEMBERSHIP_PRODUCT_TYPES)[number];

/** Kinds of product a seller creates (spec, "Seller product (OAuth view)"); older products have none. Zod-free. */
export const SELLER_PRODUCT_TYPES = [
  'ebook',
  'course',
  'video',
  'audio',
  'document',
  'consultation',
  'other',
] as const;

/** Kind of a product that a seller created. */
export type SellerProductType = (typeof SELLER_PRODUCT_TYPES)[number];
