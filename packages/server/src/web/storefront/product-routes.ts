import { uuidField } from '@latchkey/contract';
import { type RequestHandler, Router } from 'express';
import type { Needs } from '../../app/services.js';
import { findProductOnSale, type ProductOnSale } from '../../domain/catalogue/products.js';
import { checkoutPath, openCheckout } from '../../domain/checkout/checkouts.js';
import { productOffer } from '../../domain/checkout/offer.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { areaForm } from '../sign-in/area-route.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { sendPage } from '../ui/frame/send-page.js';
import { productAccess } from './product-access.js';
import { productPage } from './product-page.js';

type ProductParams = { id: string };

/** Routes of the public product pages, and of buying a product there. */
export function productRoutes(needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/products/:id').get(showProduct(needs)).all(methodNotAllowed('GET'));
  router.route('/products/:id/buy').post(buyProduct(needs)).all(methodNotAllowed('POST'));
  return router;
}

function productPath(id: string): string {
  return `/products/${encodeURIComponent(id)}`;
}

function showProduct(needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>): RequestHandler<ProductParams> {
  const { payments } = needs;
  return async (request, response) => {
    const product = await findProduct(needs, request.params.id);
    if (product === undefined) throw notFound();
    const user = await findSignedInUser(needs, request);
    const visitor = user && {
      account: user.id,
      access: await productAccess(needs, user.id, product.id),
    };
    const html = productPage({
      ...product,
      seller: product.sellerName,
      price: payments && productOffer(product),
      visitor,
      signInHref: signInPath(productPath(product.id)),
    });
    sendPage(response, html);
  };
}

function buyProduct(needs: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>): RequestHandler<ProductParams>[] {
  const { baseUrl, db, clock, payments } = needs;
  const home = ({ id }: ProductParams) => productPath(id);
  return areaForm(needs, home, async ({ user, request, response }) => {
    const path = productPath(request.params.id);
    const product = await findProduct(needs, request.params.id);
    const offer = product && payments && productOffer(product);
    // The product's page says why it is not for sale.
    if (product === undefined || offer === undefined) return redirect(response, 303, path);
    if ((await productAccess(needs, user.id, product.id)) === 'for-life')
      return redirect(response, 303, path);
    const secret = await openCheckout(
      db,
      {
        subject: offer.subject,
        buyer: { id: user.id },
        caller: null,
        successUrl: `${baseUrl}${path}`,
        cancelUrl: `${baseUrl}${path}`,
        utmSource: null,
      },
      clock.now(),
    );
    redirect(response, 303, checkoutPath(offer.paidBy, secret));
  });
}

async function findProduct(
  { db }: Needs<'baseUrl' | 'clock' | 'db' | 'payments'>,
  text: string,
): Promise<ProductOnSale | undefined> {
  const id = uuidField.safeParse(text);
  return id.success ? await findProductOnSale(db, id.data) : undefined;
}
