import { uuidField } from '@latchkey/contract';
import type { RequestHandler, Router } from 'express';
import type { Needs } from '../../../app/services.js';
import { findProduct, type Product } from '../../../domain/catalogue/products.js';
import {
  type AdministeredCommunity,
  type CommunityActor,
  findAdministered,
} from '../../../domain/communities/community-access.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaForm, areaPage, areaRoutes } from '../../sign-in/area-route.js';
import { communityPath, productPath, SELLER_PATH } from './seller-paths.js';

type PathParameters = Record<string, string>;

/** Community of a request, and the admin or owner who sent it. */
interface InCommunity {
  community: AdministeredCommunity;
  actor: CommunityActor;
}

/** Product of a request from its seller. */
interface OfProduct {
  product: Product;
}

export type CommunityRequest = AreaRequest & InCommunity;
export type CommunityForm = AreaForm & InCommunity;
type ProductRequest = AreaRequest<PathParameters> & OfProduct;
type ProductForm = AreaForm<PathParameters> & OfProduct;

/**
 * Creates routes about the community in the path. They are 404 unless the user administers it. Each change checks the role
 * again in its own transaction.
 */
export function communityRoutes(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  table: Parameters<typeof areaRoutes<InCommunity>>[2],
): Router {
  const subject = async (request: AreaRequest) => {
    const access = await accessOf(needs, request);
    if (access === undefined) throw notFound();
    return access;
  };
  return areaRoutes(needs, { home: homeOfCommunity, subject }, table);
}

/** Creates the handler of a page about the community in the path. Sends 404 unless the user administers it. */
export function communityPage(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  show: (request: CommunityRequest) => Promise<void>,
): RequestHandler<PathParameters> {
  return areaPage<PathParameters>(needs, async (request) => {
    const access = await accessOf(needs, request);
    if (access === undefined) throw notFound();
    await show({ ...request, ...access });
  });
}

/** Creates the handlers of a form about a community. Each change checks the role again in its own transaction. */
export function communityForm(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  handle: (form: CommunityForm) => Promise<void>,
): RequestHandler<PathParameters>[] {
  return areaForm<PathParameters>(needs, homeOfCommunity, async (form) => {
    const access = await accessOf(needs, form);
    if (access === undefined) throw notFound();
    await handle({ ...form, ...access });
  });
}

/** Creates the handler of a page about the product in the path. Sends 404 unless the user sells it. */
export function productPage(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  show: (request: ProductRequest) => Promise<void>,
): RequestHandler<PathParameters> {
  return areaPage<PathParameters>(needs, async (request) => {
    const product = await productOf(needs, request);
    if (product === undefined) throw notFound();
    await show({ ...request, product });
  });
}

/** Creates the handlers of a form about a product. */
export function productForm(
  needs: Needs<'baseUrl' | 'clock' | 'db'>,
  handle: (form: ProductForm) => Promise<void>,
): RequestHandler<PathParameters>[] {
  return areaForm<PathParameters>(needs, homeOfProduct, async (form) => {
    const product = await productOf(needs, form);
    if (product === undefined) throw notFound();
    await handle({ ...form, product });
  });
}

/** Returns an id in lower case, or an empty string, which matches nothing, if the text is not an id. */
export function readId(text: string | undefined): string {
  return uuidField.safeParse(text).data ?? '';
}

/** Returns the path that a visitor returns to after sign-in. */
function homeOfCommunity({ communityId }: PathParameters): string {
  const id = readId(communityId);
  return id === '' ? SELLER_PATH : communityPath(id);
}

function homeOfProduct({ productId }: PathParameters): string {
  const id = readId(productId);
  return id === '' ? SELLER_PATH : productPath(id);
}

async function accessOf(
  { db }: Needs<'baseUrl' | 'clock' | 'db'>,
  { request, user }: AreaRequest<PathParameters>,
): Promise<InCommunity | undefined> {
  const actor = { communityId: readId(request.params.communityId), userId: user.id };
  const community = await findAdministered(db, actor);
  return community && { community, actor };
}

async function productOf(
  { db }: Needs<'baseUrl' | 'clock' | 'db'>,
  { request, user }: AreaRequest<PathParameters>,
): Promise<Product | undefined> {
  return await findProduct(db, { productId: readId(request.params.productId), userId: user.id });
}
