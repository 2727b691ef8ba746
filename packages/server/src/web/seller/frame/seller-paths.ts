/** Path of the start page of the seller area. */
export const SELLER_PATH = '/seller';

/** Returns the path of a community's overview. The paths of its other pages start with it. */
export function communityPath(communityId: string): string {
  return `/seller/communities/${communityId}`;
}

/** Returns the path of a product's page. The paths of its other pages start with it. */
export function productPath(productId: string): string {
  return `/seller/products/${productId}`;
}

/** Returns the path of a page of a community or product. The section is the last segment, and empty for the first page. */
export function sectionPath(base: string, section: string): string {
  return section === '' ? base : `${base}/${section}`;
}
