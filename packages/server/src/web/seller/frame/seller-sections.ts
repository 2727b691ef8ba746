import type { AreaSection } from '../../ui/frame/area-page.js';
import { communityPath, productPath, SELLER_PATH, sectionPath } from './seller-paths.js';

/** Start page of the seller area. */
export const SELLER_HOME: AreaSection = { href: SELLER_PATH, label: 'Communities and products' };

/** Pages outside of a community or product. The navigation is too narrow for the whole label. */
export const SELLER_SECTIONS: readonly AreaSection[] = [{ ...SELLER_HOME, label: 'Home' }];

/** Labels of the pages of a community, by section, in the order of the navigation. */
const COMMUNITY_LABELS = {
  '': 'Overview',
  members: 'Members',
  plans: 'Plans',
  drops: 'Drops',
  sales: 'Sales',
  roles: 'Roles',
  brand: 'Brand',
} as const;

/** Labels of the pages of a product, by section, in the order of the navigation. */
const PRODUCT_LABELS = { '': 'Product', buyers: 'Buyers', sales: 'Sales' } as const;

/** Last path segment of a page of a community. Empty for the overview. */
export type CommunitySection = keyof typeof COMMUNITY_LABELS;

/** Last path segment of a page of a product. Empty for its first page. */
export type ProductSection = keyof typeof PRODUCT_LABELS;

export function communitySections(communityId: string): AreaSection[] {
  return sectionsOf(communityPath(communityId), COMMUNITY_LABELS);
}

export function productSections(productId: string): AreaSection[] {
  return sectionsOf(productPath(productId), PRODUCT_LABELS);
}

function sectionsOf(base: string, labels: Readonly<Record<string, string>>): AreaSection[] {
  return Object.entries(labels).map(([section, label]) => ({ href: sectionPath(base, section), label }));
}
