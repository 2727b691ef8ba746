import type { AreaSection } from '../../ui/frame/area-page.js';

/** Start page of the seller area. */
export const SELLER_HOME: AreaSection = { href: '/seller', label: 'Communities and products' };

/** Pages outside of a community or product. The navigation is too narrow for the whole label. */
export const SELLER_SECTIONS: readonly AreaSection[] = [{ ...SELLER_HOME, label: 'Home' }];

/** Returns the pages of one community. */
export function communitySections(communityId: string): AreaSection[] {
  const base = `/seller/communities/${communityId}`;
  return [
    { href: base, label: 'Overview' },
    { href: `${base}/members`, label: 'Members' },
    { href: `${base}/plans`, label: 'Plans' },
    { href: `${base}/drops`, label: 'Drops' },
    { href: `${base}/sales`, label: 'Sales' },
    { href: `${base}/roles`, label: 'Roles' },
    { href: `${base}/brand`, label: 'Brand' },
  ];
}

/** Returns the pages of one product. */
export function productSections(productId: string): AreaSection[] {
  const base = `/seller/products/${productId}`;
  return [
    { href: base, label: 'Product' },
    { href: `${base}/buyers`, label: 'Buyers' },
    { href: `${base}/sales`, label: 'Sales' },
  ];
}
