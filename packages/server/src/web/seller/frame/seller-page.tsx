import type { ComponentChildren } from 'preact';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { type AreaFrame, renderAreaPage } from '../../ui/area-page.js';
import type { FormError } from '../../ui/error-summary.js';
import type { Page } from '../../ui/site.js';
import { communitySections, productSections, SELLER_HOME } from './seller-sections.js';

/** What every page about one community or product is made of. */
export interface SellerPageProps {
  frame: AreaFrame;
  /** What has just been done: words of the service's own. */
  notice?: string | undefined;
  /** What was wrong with a form. */
  errors?: readonly FormError[] | undefined;
}

/** What a page of a community says, and where it stands. */
interface CommunityPage extends SellerPageProps {
  community: AdministeredCommunity;
  /** The last part of its section's address: `plans`; empty for the overview. */
  section: '' | 'members' | 'plans' | 'drops' | 'sales' | 'roles';
  /** What the page shows of the community: "Plans". */
  title: string;
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  /** The page that this one belongs to, when it is not the overview. */
  parent?: { href: string; label: string };
  children: ComponentChildren;
}

/** Renders a page of one community. */
export function renderCommunityPage(props: CommunityPage): Page {
  const { community, section, title, parent } = props;
  const base = communityPath(community.id);
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: communitySections(community.id),
    section: section === '' ? base : `${base}/${section}`,
    title: `${title}: ${community.name}`,
    heading: props.heading ?? title,
    lead: props.lead ?? <bdi>{community.name}</bdi>,
    parent: parent ?? SELLER_HOME,
    notice: props.notice,
    errors: props.errors,
    children: props.children,
  });
}

/** What a page of a product says, and where it stands. */
interface ProductPage extends SellerPageProps {
  product: { id: string; name: string };
  section: '' | 'buyers' | 'sales';
  /** What the page shows of the product: "Buyers". */
  title: string;
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** Renders a page of one product. */
export function renderProductPage(props: ProductPage): Page {
  const { product, section, title } = props;
  const base = productPath(product.id);
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: productSections(product.id),
    section: section === '' ? base : `${base}/${section}`,
    title: `${title}: ${product.name}`,
    heading: props.heading ?? title,
    lead: props.lead ?? <bdi>{product.name}</bdi>,
    parent: SELLER_HOME,
    notice: props.notice,
    errors: props.errors,
    children: props.children,
  });
}

/** Address of a community's overview; its other pages lie below. */
export function communityPath(communityId: string): string {
  return `/seller/communities/${communityId}`;
}

/** Address of a product's page; its other pages lie below. */
export function productPath(productId: string): string {
  return `/seller/products/${productId}`;
}
