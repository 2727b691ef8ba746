/** Kinds of product that a membership gives access to (spec, "Membership (OAuth view)"). */
export const MEMBERSHIP_PRODUCT_TYPES = [
  'community',
  'digital_product',
  'clipping_campaign',
  'agency',
] as const;

export type MembershipProductType = (typeof MEMBERSHIP_PRODUCT_TYPES)[number];

/** Kinds of product that a seller creates (spec, "Seller product (OAuth view)"). Older products have no kind. */
export const SELLER_PRODUCT_TYPES = [
  'ebook',
  'course',
  'video',
  'audio',
  'document',
  'consultation',
  'other',
] as const;

export type SellerProductType = (typeof SELLER_PRODUCT_TYPES)[number];
