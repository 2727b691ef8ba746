import type { Response, Router } from 'express';
import type { ComponentChildren } from 'preact';
import type { Needs } from '../../../app/services.js';
import {
  type AdministeredCommunity,
  type CommunityActor,
  type Full,
  findAdministered,
} from '../../../features/communities/community-access.js';
import { type Product, requireProduct } from '../../../features/products/product.queries.js';
import { submitOnce } from '../../../features/users/form-submission.js';
import type { Database } from '../../../platform/database/open-database.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { phrase, t } from '../../../platform/language/language.js';
import { type AreaPageProps, type AreaSection, type PageProps, renderAreaPage } from '../frame/area-page.js';
import { sendMessage } from '../frame/message-page.js';
import type { Page } from '../frame/send-page.js';
import type { FormResult } from '../parts/form.js';
import { type FormError, newSubmissionId, PostForm, submissionIdOf } from '../parts/form-parts.js';
import { Panel } from '../parts/panel.js';
import { type AreaForm, type AreaRequest, areaRoutes, noticesOf, readId } from './area-routes.js';

export const SELLER_PATH = '/seller';

export function communityPath(communityId: string): string {
  return `/seller/communities/${communityId}`;
}

/** Returns the path of a product's page. The paths of its other pages start with it. */
export function productPath(productId: string): string {
  return `/seller/products/${productId}`;
}

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

const PRODUCT_SECTIONS = { '': phrase('Product'), buyers: phrase('Buyers'), sales: phrase('Sales') } as const;

export interface CommunityPageProps extends PageProps {
  community: AdministeredCommunity;
}

export interface ProductPageProps extends PageProps {
  product: Product;
}

/** In English: the page translates it. Without a community's section, it's for a community or product. */
interface NewForm<Values> {
  section?: 'members' | 'plans' | 'drops' | 'roles';
  title: string;
  submit: string;
  /** Path that the form posts to. Default: the address of the section. */
  action?: string;
  /** For a creation that can be refused because there are `{max}` already. */
  full?: string;
  form: {
    empty: Values;
    read(form: URLSearchParams): Values;
    fields(props: { values: Values }): ComponentChildren;
  };
}

type Content = Pick<AreaPageProps, 'title' | 'heading' | 'lead' | 'children'>;

export function renderSellerPage(props: PageProps & Content & { parent?: AreaSection }): Page {
  const { frame, title, heading, lead, parent, notice, errors, children } = props;
  return renderAreaPage({
    ...{ frame, title, heading, lead, parent, notice, errors, children },
    area: 'seller',
    // The navigation is too narrow for the whole label.
    sections: [{ href: SELLER_PATH, label: t('Home') }],
    section: SELLER_PATH,
  });
}

/** `parent` is for a page below its section. @default the start page of the seller area */
export function renderCommunityPage(
  props: CommunityPageProps & Content & { section: keyof typeof COMMUNITY_SECTIONS; parent?: 'section' },
): Page {
  const { community } = props;
  return renderPageOf(community, communityPath(community.id), COMMUNITY_SECTIONS, props);
}

export function renderProductPage(
  props: ProductPageProps & Content & { section: keyof typeof PRODUCT_SECTIONS; parent?: 'section' },
): Page {
  const { product } = props;
  return renderPageOf(product, productPath(product.id), PRODUCT_SECTIONS, props);
}

function renderPageOf(
  { name }: { name: string },
  base: string,
  labels: Readonly<Record<string, string>>,
  props: PageProps & Content & { section: string; parent?: 'section' },
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

export function newPage<Values>(
  { section, action, form, ...words }: NewForm<Values>,
  props: PageProps & {
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
  return renderCommunityPage({ frame, errors, community, title, section, parent: 'section', children });
}

/** `get` shows the form, `post` processes a sent form only once. `answer` returns where to go, or what is wrong. */
export function creation<
  Area extends AreaForm & { community?: AdministeredCommunity },
  Values,
  Value,
  Result extends { kind: string },
>(
  { db, clock }: Needs<'clock' | 'db'>,
  newForm: NewForm<Values>,
  of: {
    read: (area: Area, now: number) => FormResult<Value>;
    create: (transaction: Database, value: Value, area: Area, now: number) => Promise<Result | Full>;
    answer: (result: Result | { kind: 'already-submitted' }, area: Area) => string | FormError | undefined;
  },
) {
  return {
    get: ({ frame, community }: PageProps & { community?: AdministeredCommunity }) =>
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
        hasEffect: ({ kind }) => EFFECTS.has(kind),
      });
      const { full = '' } = newForm;
      if (isFull(result)) return refuse([{ field: 'name', message: t(full, { max: `${result.max}` }) }]);
      const answer = of.answer(result, area);
      return typeof answer === 'object' ? refuse([answer]) : answer;
    },
  };
}

const isFull = (result: { kind: string }): result is Full => result.kind === 'full';

/** Results that mean a form created something. A form with another result can be sent again. */
const EFFECTS: ReadonlySet<string> = new Set(['created', 'invited', 'granted']);

const NOTICES = {
  'community-created': phrase('Community created. You are its owner.'),
  'community-closed': phrase('Community closed. Its memberships and subscriptions have ended.'),
  renamed: phrase('Name saved.'),
  'brand-saved': phrase('Brand saved. Your public page and checkout show it from now on.'),
  'bot-saved': phrase('Bot saved.'),
  'bot-removed': phrase('Bot removed. The community has no invite links now.'),
  'role-changed': phrase('Role changed. The change also applies to API keys.'),
  'owner-invited': phrase(
    'Invitation saved. The person becomes an owner by accepting it. We e-mail the address once, unless its holder or our limits prevent it.',
  ),
  'role-removed': phrase('Role removed. The API keys of this user lost their access too.'),
  'plan-created': phrase('Plan created.'),
  'plan-saved': phrase('Plan saved.'),
  'plan-archived': phrase('Plan archived. It is no longer for sale.'),
  'plan-unarchived': phrase('Plan restored. It is for sale again.'),
  'drop-created': phrase('Drop created.'),
  'drop-saved': phrase('Drop saved.'),
  'drop-ended': phrase('Drop ended. It accepts no more signups.'),
  granted: phrase('Membership granted.'),
  invited: phrase(
    'Invitation saved. We e-mail the address once, unless its holder or our limits prevent it.',
  ),
  'invitation-withdrawn': phrase('Invitation withdrawn.'),
  'end-saved': phrase('End date saved.'),
  'membership-ended': phrase('Membership ended.'),
  'subscription-cancelled': phrase(
    'Subscription cancelled. The membership stays active until the end of the paid period.',
  ),
  refunded: phrase('Refunded. The buyer is told by e-mail.'),
  'refund-pending': phrase('Refund accepted. It is finished once the payment provider confirms it.'),
  'refund-unanswered': phrase(
    'Refund saved. The payment provider does not answer at the moment, so we ask again until it does. Do not refund again.',
  ),
  'product-created': phrase('Product created.'),
  'product-saved': phrase('Product saved.'),
  'product-deleted': phrase('Product deleted.'),
} as const;

export type Done = keyof typeof NOTICES;

/** Returns the path of a page with a confirmation. Redirecting there keeps a reload from repeating the action. */
export function doneAt(path: string, done: Done): string {
  return `${path}?done=${done}`;
}

export const noticeOf = noticesOf(NOTICES);

/** The community of a request, and the admin or owner who sent it. */
interface InCommunity extends Pick<CommunityPageProps, 'community'> {
  actor: CommunityActor;
  path: string;
  page: CommunityPageProps;
}

interface OfProduct extends Pick<ProductPageProps, 'product'> {
  path: string;
  page: ProductPageProps;
}

export type CommunityRequest = AreaRequest & InCommunity;
export type CommunityForm = AreaForm & InCommunity;
export type ProductRequest = AreaRequest & OfProduct;
export type ProductForm = AreaForm & OfProduct;

/** 404 unless the user administers the community. Each change checks the role again in its transaction. */
export function routesOfCommunity(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  table: Parameters<typeof areaRoutes<InCommunity>>[2],
): Router {
  const home = ({ communityId }: Record<string, string>) => homeOf(communityId, communityPath);
  const subject = async ({ frame, query, request, user }: AreaRequest) => {
    const actor = { communityId: readId(request.params.communityId), userId: user.id };
    const community = await findAdministered(needs.db, actor);
    if (community === undefined) throw notFound();
    const page = { frame, community, notice: noticeOf(query) };
    return { community, actor, path: communityPath(community.id), page };
  };
  return areaRoutes(needs, { home, subject }, table);
}

/** Creates routes about the product in the path. They respond with 404 unless the user sells it. */
export function routesOfProduct(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  table: Parameters<typeof areaRoutes<OfProduct>>[2],
): Router {
  const home = ({ productId }: Record<string, string>) => homeOf(productId, productPath);
  const subject = async ({ frame, query, request, user }: AreaRequest) => {
    const productId = readId(request.params.productId);
    const product = await requireProduct(needs.db, { productId, userId: user.id });
    return { product, path: productPath(product.id), page: { frame, product, notice: noticeOf(query) } };
  };
  return areaRoutes(needs, { home, subject }, table);
}

function homeOf(text: string | undefined, pathOf: (id: string) => string): string {
  const id = readId(text);
  return id === '' ? SELLER_PATH : pathOf(id);
}

export function sendOwnersOnly(
  { path, response }: { path: string; response: Response },
  title = t('Only an owner can change roles'),
): undefined {
  sendMessage(response, 403, {
    title,
    text: t('You are an admin of this community. Ask one of its owners to make the change.'),
    action: { href: `${path}/roles`, label: t('View roles') },
  });
}
