import type { ComponentChildren } from 'preact';
import type { Product } from '../../../domain/catalogue/products.js';
import type { AdministeredCommunity } from '../../../domain/communities/community-access.js';
import { type AreaFrame, type AreaSection, renderAreaPage } from '../../ui/frame/area-page.js';
import type { Page } from '../../ui/frame/send-page.js';
import { type FormError, PostForm } from '../../ui/parts/form-parts.js';
import { Panel } from '../../ui/parts/panel.js';

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

/** Start page of the seller area. */
const SELLER_HOME: AreaSection = { href: SELLER_PATH, label: 'Communities and products' };

/** Labels of the pages of a community, by the last segment of their path, in the order of the navigation. */
const COMMUNITY_SECTIONS = {
  '': 'Overview',
  members: 'Members',
  plans: 'Plans',
  drops: 'Drops',
  sales: 'Sales',
  roles: 'Roles',
  brand: 'Brand',
} as const;

/** Labels of the pages of a product, by the last segment of their path, in the order of the navigation. */
const PRODUCT_SECTIONS = { '': 'Product', buyers: 'Buyers', sales: 'Sales' } as const;

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

/** Props that all pages of a product share. */
export interface ProductPageProps extends SellerPageProps {
  product: Product;
}

/** Props of the form of something new. */
export interface NewProps<Values> {
  values: Values;
  /** Id of the form, so that it is processed only once. */
  submission: string;
}

interface Content {
  /** Subject of the page: "Plans". */
  title: string;
  /** Content of the `<h1>`, if it is not the title. */
  heading?: ComponentChildren;
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** Renders a page outside of a community or product. */
export function renderSellerPage(props: SellerPageProps & Content & { parent?: AreaSection }): Page {
  const { frame, title, heading, lead, parent, notice, errors, children } = props;
  return renderAreaPage({
    ...{ frame, title, heading, lead, parent, notice, errors, children },
    area: 'seller',
    // The navigation is too narrow for the whole label.
    sections: [{ ...SELLER_HOME, label: 'Home' }],
    section: SELLER_PATH,
  });
}

/**
 * Renders a page of a community.
 *
 * @param props.parent Link to the parent page. Default: the start page of the seller area.
 */
export function renderCommunityPage(
  props: CommunityPageProps & Content & { section: keyof typeof COMMUNITY_SECTIONS; parent?: AreaSection },
): Page {
  const { community } = props;
  return renderPageOf(community, communityPath(community.id), COMMUNITY_SECTIONS, props);
}

export function renderProductPage(
  props: ProductPageProps & Content & { section: keyof typeof PRODUCT_SECTIONS },
): Page {
  const { product } = props;
  return renderPageOf(product, productPath(product.id), PRODUCT_SECTIONS, props);
}

function renderPageOf(
  { name }: { name: string },
  base: string,
  labels: Readonly<Record<string, string>>,
  props: SellerPageProps & Content & { section: string; parent?: AreaSection },
): Page {
  const { frame, title, notice, errors, children, parent = SELLER_HOME } = props;
  const pathOf = (section: string) => (section === '' ? base : `${base}/${section}`);
  return renderAreaPage({
    ...{ frame, notice, errors, children, parent },
    area: 'seller',
    sections: Object.entries(labels).map(([section, label]) => ({ href: pathOf(section), label })),
    section: pathOf(props.section),
    title: `${title}: ${name}`,
    heading: props.heading ?? title,
    lead: props.lead ?? <bdi>{name}</bdi>,
  });
}

/** Renders the form of something new in a section of a community. It posts to the address of the section. */
export function renderNewPage(
  props: CommunityPageProps &
    Omit<NewProps<unknown>, 'values'> & {
      section: 'members' | 'plans' | 'drops' | 'roles';
      title: string;
      /** Label of the button. */
      submit: string;
      fields: ComponentChildren;
    },
): Page {
  const { frame, errors, community, title, section, submission, submit, fields } = props;
  const address = `${communityPath(community.id)}/${section}`;
  return renderCommunityPage({
    ...{ frame, errors, community, title, section },
    parent: { href: address, label: COMMUNITY_SECTIONS[section] },
    children: (
      <Panel>
        <PostForm action={address} cancelHref={address} {...{ submission, submit }} account={frame.account}>
          {fields}
        </PostForm>
      </Panel>
    ),
  });
}

/** Renders the form of a new community or product. */
export function renderNewSubjectPage(
  props: SellerPageProps &
    Omit<NewProps<unknown>, 'values'> & {
      title: string;
      /** Label of the button. */
      submit: string;
      /** Path that the form posts to. */
      action: string;
      fields: ComponentChildren;
    },
): Page {
  const { frame, errors, title, submission, submit, action, fields } = props;
  return renderSellerPage({
    ...{ frame, errors, title },
    parent: SELLER_HOME,
    children: (
      <Panel>
        <PostForm cancelHref={SELLER_PATH} {...{ action, submission, submit }} account={frame.account}>
          {fields}
        </PostForm>
      </Panel>
    ),
  });
}
