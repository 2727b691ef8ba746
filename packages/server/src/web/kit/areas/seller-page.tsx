import type { ComponentChildren } from 'preact';
import type { Needs } from '../../../app/services.js';
import type { AdministeredCommunity } from '../../../features/communities/community-access.js';
import type { Product } from '../../../features/products/product.queries.js';
import { submitOnce } from '../../../features/users/form-submission.js';
import type { Database } from '../../../platform/database/open-database.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { phrase, t } from '../../../platform/language/language.js';
import { type AreaFrame, type AreaSection, renderAreaPage } from '../frame/area-page.js';
import type { Page } from '../frame/send-page.js';
import type { FormResult } from '../parts/form.js';
import { type FormError, newSubmissionId, PostForm, submissionIdOf } from '../parts/form-parts.js';
import { Panel } from '../parts/panel.js';
import type { AreaForm } from './area-routes.js';

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
function sellerHome(): AreaSection {
  return { href: SELLER_PATH, label: t('Communities and products') };
}

/** Labels of the pages of a community, by the last segment of their path, in the order of the navigation. */
const COMMUNITY_SECTIONS = {
  '': phrase('Overview'),
  members: phrase('Members'),
  plans: phrase('Plans'),
  drops: phrase('Drops'),
  sales: phrase('Sales'),
  roles: phrase('Roles'),
  brand: phrase('Brand'),
} as const;

/** Labels of the pages of a product, by the last segment of their path, in the order of the navigation. */
const PRODUCT_SECTIONS = { '': phrase('Product'), buyers: phrase('Buyers'), sales: phrase('Sales') } as const;

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

/** Form of something new, in English: the page translates it. Without a section of a community it is a community or product. */
interface NewForm<Values> {
  section?: 'members' | 'plans' | 'drops' | 'roles';
  title: string;
  submit: string;
  /** Path that the form posts to. Default: the address of the section. */
  action?: string;
  form: {
    empty: Values;
    read(form: URLSearchParams): Values;
    fields(props: { values: Values }): ComponentChildren;
  };
}

interface Content {
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
    sections: [{ href: SELLER_PATH, label: t('Home') }],
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
  const { frame, title, notice, errors, children, parent = sellerHome() } = props;
  const pathOf = (section: string) => (section === '' ? base : `${base}/${section}`);
  return renderAreaPage({
    ...{ frame, notice, errors, children, parent },
    area: 'seller',
    sections: Object.entries(labels).map(([section, label]) => ({ href: pathOf(section), label: t(label) })),
    section: pathOf(props.section),
    title: `${title}: ${name}`,
    heading: props.heading ?? title,
    lead: props.lead ?? <bdi>{name}</bdi>,
  });
}

/** Renders the form of something new. */
export function newPage<Values>(
  { section, action, form, ...words }: NewForm<Values>,
  props: SellerPageProps & {
    community?: AdministeredCommunity | undefined;
    values: Values;
    submission: string;
  },
): Page {
  const { frame, community, errors, submission } = props;
  const [title, submit] = [t(words.title), t(words.submit)];
  const address = section && community ? `${communityPath(community.id)}/${section}` : SELLER_PATH;
  const children = (
    <Panel>
      <PostForm action={action ?? address} cancelHref={address} {...{ submission, submit }}>
        {form.fields(props)}
      </PostForm>
    </Panel>
  );
  if (community === undefined || section === undefined) {
    return renderSellerPage({ frame, errors, title, parent: sellerHome(), children });
  }
  const parent = { href: address, label: t(COMMUNITY_SECTIONS[section]) };
  return renderCommunityPage({ frame, errors, community, title, section, parent, children });
}

/**
 * Returns the handlers of something new: `get` shows its form, `post` processes a sent form only once.
 *
 * @param of.answer Returns where to go, or what is wrong with the form.
 */
export function creation<
  Area extends AreaForm & { community?: AdministeredCommunity },
  Values,
  Value,
  Result extends { kind: string } | undefined,
>(
  { db, clock }: Needs<'clock' | 'db'>,
  newForm: NewForm<Values>,
  of: {
    read: (area: Area, now: number) => FormResult<Value>;
    create: (transaction: Database, value: Value, area: Area, now: number) => Promise<Result>;
    answer: (
      result: Exclude<Result, undefined | { kind: 'unknown' }> | { kind: 'already-submitted' },
      area: Area,
    ) => string | FormError | undefined;
  },
) {
  return {
    get: ({ frame, community }: SellerPageProps & { community?: AdministeredCommunity }) =>
      newPage(newForm, { frame, community, values: newForm.form.empty, submission: newSubmissionId() }),
    async post(area: Area) {
      const { frame, community, form, user } = area;
      const submission = submissionIdOf(form);
      const refuse = (errors: FormError[]) =>
        newPage(newForm, { frame, community, values: newForm.form.read(form), submission, errors });
      const now = clock.now();
      const read = of.read(area, now);
      if (read.kind === 'invalid') return refuse(read.errors);
      const result = await submitOnce(db, {
        submission: { userId: user.id, id: submission },
        now,
        work: (transaction) => of.create(transaction, read.value, area, now),
        hasEffect: (created) => EFFECTS.has(created?.kind),
      });
      if (result === undefined || result.kind === 'unknown') throw notFound();
      const answer = of.answer(result as Parameters<typeof of.answer>[0], area);
      return typeof answer === 'object' ? refuse([answer]) : answer;
    },
  };
}

/** Results of a form that created something. A form with another result can be sent again. */
const EFFECTS: ReadonlySet<string | undefined> = new Set(['created', 'invited', 'granted']);
