import type { ComponentChildren } from 'preact';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { communitySections, productSections, SELLER_HOME } from './seller-sections.js';

/** Props that all pages of the seller area share. */
export interface SellerPageProps {
  frame: AreaFrame;
  /** Confirmation of the last action. */
  notice?: string | undefined;
  /** Errors of the submitted form. */
  errors?: readonly FormError[] | undefined;
}

/** Props of {@link renderCommunityPage}. */
export interface CommunityPage extends SellerPageProps {
  community: AdministeredCommunity;
  /** Last path segment of the section; empty for the overview. */
  section: '' | 'members' | 'plans' | 'drops' | 'sales' | 'roles' | 'brand';
  /** Subject of the page: "Plans". */
  title: string;
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  /**
   * Link to the parent page.
   *
   * @default the start page of the seller area
   */
  parent?: { href: string; label: string };
  children: ComponentChildren;
}

/** Renders a page about one community. */
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

/** Props of {@link renderProductPage}. */
interface ProductPage extends SellerPageProps {
  product: { id: string; name: string };
  section: '' | 'buyers' | 'sales';
  /** Subject of the page: "Buyers". */
  title: string;
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** Renders a page about one product. */
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

/** Returns the path of a community's overview. The paths of its other pages start with it. */
export function communityPath(communityId: string): string {
  return `/seller/communities/${communityId}`;
}

/** Returns the path of a product's page. The paths of its other pages start with it. */
export function productPath(productId: string): string {
  return `/seller/products/${productId}`;
}
