import { uuidField } from '@latchkey/contract';
import type { RequestHandler } from 'express';
import { findProduct, type Product } from '../../../domain/catalogue/products.js';
import {
  type AdministeredCommunity,
  type CommunityActor,
  findAdministered,
} from '../../../domain/communities/community-access.js';
import type { Clock } from '../../../platform/clock.js';
import type { Database } from '../../../platform/database/open-database.js';
import { notFound } from '../../../platform/http/http-failure.js';
import { type AreaForm, type AreaRequest, areaForm, areaPage } from '../../sign-in/area-route.js';
import { communityPath, productPath } from './seller-page.js';

interface SellerRequestNeeds {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly db: Database;
}

/** The start of the seller area. */
export const SELLER_PATH = '/seller';

type PathParameters = Record<string, string>;

/** A request about a community, by somebody who administers it. */
interface InCommunity {
  community: AdministeredCommunity;
  actor: CommunityActor;
}

/** A request about a product, by its seller. */
interface OfProduct {
  product: Product;
}

type CommunityRequest = AreaRequest<PathParameters> & InCommunity;
type CommunityForm = AreaForm<PathParameters> & InCommunity;
type ProductRequest = AreaRequest<PathParameters> & OfProduct;
type ProductForm = AreaForm<PathParameters> & OfProduct;

/** A page of the community that the path names; 404 unless the person administers it. */
export function communityPage(
  needs: SellerRequestNeeds,
  show: (request: CommunityRequest) => Promise<void>,
): RequestHandler<PathParameters> {
  return areaPage<PathParameters>(needs, async (request) => {
    const access = await accessOf(needs, request);
    if (access === undefined) throw notFound();
    await show({ ...request, ...access });
  });
}

/** A form of such a page. What it changes asks for the role once more, in its own transaction. */
export function communityForm(
  needs: SellerRequestNeeds,
  take: (form: CommunityForm) => Promise<void>,
): RequestHandler<PathParameters>[] {
  return areaForm<PathParameters>(needs, homeOfCommunity, async (form) => {
    const access = await accessOf(needs, form);
    if (access === undefined) throw notFound();
    await take({ ...form, ...access });
  });
}

/** A page of the product that the path names; 404 unless it is the person's own. */
export function productPage(
  needs: SellerRequestNeeds,
  show: (request: ProductRequest) => Promise<void>,
): RequestHandler<PathParameters> {
  return areaPage<PathParameters>(needs, async (request) => {
    const product = await productOf(needs, request);
    if (product === undefined) throw notFound();
    await show({ ...request, product });
  });
}

/** A form of such a page. */
export function productForm(
  needs: SellerRequestNeeds,
  take: (form: ProductForm) => Promise<void>,
): RequestHandler<PathParameters>[] {
  return areaForm<PathParameters>(needs, homeOfProduct, async (form) => {
    const product = await productOf(needs, form);
    if (product === undefined) throw notFound();
    await take({ ...form, product });
  });
}

/** An id from a path, in lower case; the empty text, which nothing has for an id, when it is none. */
export function readId(text: string | undefined): string {
  return uuidField.safeParse(text).data ?? '';
}

/** Where who has to sign in first goes then. */
function homeOfCommunity({ communityId }: PathParameters): string {
  const id = readId(communityId);
  return id === '' ? SELLER_PATH : communityPath(id);
}

function homeOfProduct({ productId }: PathParameters): string {
  const id = readId(productId);
  return id === '' ? SELLER_PATH : productPath(id);
}

async function accessOf(
  { db }: SellerRequestNeeds,
  { request, user }: AreaRequest<PathParameters>,
): Promise<InCommunity | undefined> {
  const actor = { communityId: readId(request.params.communityId), userId: user.id };
  const community = await findAdministered(db, actor);
  return community && { community, actor };
}

async function productOf(
  { db }: SellerRequestNeeds,
  { request, user }: AreaRequest<PathParameters>,
): Promise<Product | undefined> {
  return await findProduct(db, { productId: readId(request.params.productId), userId: user.id });
}
