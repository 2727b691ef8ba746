import type { Response, Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { type CommunityActor, findAdministered } from '../../../features/communities/community-access.js';
import { findProduct } from '../../../features/products/product.queries.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { phrase, t } from '../../../platform/language/language.js';
import { sendMessage } from '../frame/message-page.js';
import { type AreaForm, type AreaRequest, areaRoutes, readId } from './area-routes.js';
import {
  type CommunityPageProps,
  communityPath,
  type ProductPageProps,
  productPath,
  SELLER_PATH,
} from './seller-page.js';

/** Confirmations by the value of the query parameter `done`. The value itself is never shown. */
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

/** Value of the query parameter `done`. */
export type Done = keyof typeof NOTICES;

/** Returns the path of a page with a confirmation. The redirect to it keeps a reload from repeating the action. */
export function doneAt(path: string, done: Done): string {
  return `${path}?done=${done}`;
}

/** Returns the confirmation for the request's query. */
export function noticeOf(query: URLSearchParams): string | undefined {
  const done = query.get('done') ?? '';
  return Object.hasOwn(NOTICES, done) ? t(NOTICES[done as Done]) : undefined;
}

/** Community of a request, and the admin or owner who sent it. */
interface InCommunity extends Pick<CommunityPageProps, 'community'> {
  actor: CommunityActor;
  path: string;
  page: CommunityPageProps;
}

/** Product of a request from its seller. */
interface OfProduct extends Pick<ProductPageProps, 'product'> {
  path: string;
  page: ProductPageProps;
}

export type CommunityRequest = AreaRequest & InCommunity;
export type CommunityForm = AreaForm & InCommunity;
export type ProductRequest = AreaRequest & OfProduct;
export type ProductForm = AreaForm & OfProduct;

/**
 * Creates routes about the community in the path. They are 404 unless the user administers it. Each change checks the role
 * again in its own transaction.
 */
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

/** Creates routes about the product in the path. They are 404 unless the user sells it. */
export function routesOfProduct(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  table: Parameters<typeof areaRoutes<OfProduct>>[2],
): Router {
  const home = ({ productId }: Record<string, string>) => homeOf(productId, productPath);
  const subject = async ({ frame, query, request, user }: AreaRequest) => {
    const productId = readId(request.params.productId);
    const product = await findProduct(needs.db, { productId, userId: user.id });
    if (product === undefined) throw notFound();
    return { product, path: productPath(product.id), page: { frame, product, notice: noticeOf(query) } };
  };
  return areaRoutes(needs, { home, subject }, table);
}

/** Returns the path that a visitor returns to after sign-in. */
function homeOf(text: string | undefined, pathOf: (id: string) => string): string {
  const id = readId(text);
  return id === '' ? SELLER_PATH : pathOf(id);
}

/** Sends 403 to an admin who tried to change roles. */
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
