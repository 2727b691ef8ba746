import type { ComponentChildren } from 'preact';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { type AreaFrame, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/site.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { communityPath, productPath, sectionPath } from './seller-paths.js';
import {
  type CommunitySection,
  communitySections,
  type ProductSection,
  productSections,
  SELLER_HOME,
} from './seller-sections.js';

/** Props that all pages of the seller area share. */
export interface SellerPageProps {
  frame: AreaFrame;
  /** Confirmation of the last action. */
  notice?: string | undefined;
  errors?: readonly FormError[] | undefined;
}

/** Props that all pages of a community share. */
export interface CommunityPageProps extends SellerPageProps {
  community: AdministeredCommunity;
}

/** Props of a page with the form of something new. */
export interface NewPageProps<Values> extends CommunityPageProps {
  values: Values;
  submission: string;
}

export interface CommunityPage extends SellerPageProps {
  community: AdministeredCommunity;
  section: CommunitySection;
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

export function renderCommunityPage(props: CommunityPage): Page {
  const { community, section, title, parent } = props;
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: communitySections(community.id),
    section: sectionPath(communityPath(community.id), section),
    title: `${title}: ${community.name}`,
    heading: props.heading ?? title,
    lead: props.lead ?? <bdi>{community.name}</bdi>,
    parent: parent ?? SELLER_HOME,
    notice: props.notice,
    errors: props.errors,
    children: props.children,
  });
}

interface ProductPage extends SellerPageProps {
  product: { id: string; name: string };
  section: ProductSection;
  /** Subject of the page: "Buyers". */
  title: string;
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

export function renderProductPage(props: ProductPage): Page {
  const { product, section, title } = props;
  return renderAreaPage({
    frame: props.frame,
    area: 'seller',
    sections: productSections(product.id),
    section: sectionPath(productPath(product.id), section),
    title: `${title}: ${product.name}`,
    heading: props.heading ?? title,
    lead: props.lead ?? <bdi>{product.name}</bdi>,
    parent: SELLER_HOME,
    notice: props.notice,
    errors: props.errors,
    children: props.children,
  });
}
