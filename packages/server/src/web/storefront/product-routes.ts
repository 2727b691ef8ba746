import { uuidField } from '@latchkey/contract';
import { type RequestHandler, Router } from 'express';
import type { Dependencies } from '../../app/dependencies.js';
import { findProductOnSale, type ProductOnSale } from '../../domain/catalogue/catalogue.js';
import { checkoutPath } from '../../domain/checkout/checkout-address.js';
import { openCheckout } from '../../domain/checkout/checkouts.js';
import { productOffer } from '../../domain/checkout/offer.js';
import { methodNotAllowed } from '../../platform/http/error-handler.js';
import { notFound } from '../../platform/http/http-failure.js';
import { redirect } from '../../platform/http/redirect.js';
import { sendPage } from '../../web/ui/send-page.js';
import { areaForm } from '../sign-in/area-route.js';
import { signInPath } from '../sign-in/continue-path.js';
import { findSignedInUser } from '../sign-in/user-session.js';
import { productAccess } from './product-access.js';
import { productPage } from './product-page.js';

type ProductParams = { id: string };

/** The page of each product, for everybody to see, and buying it. */
export function productRoutes(dependencies: Dependencies): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.route('/products/:id').get(showProduct(dependencies)).all(methodNotAllowed('GET'));
  router.route('/products/:id/buy').post(buyProduct(dependencies)).all(methodNotAllowed('POST'));
  return router;
}

function productPath(id: string): string {
  return `/products/${encodeURIComponent(id)}`;
}

function showProduct(dependencies: Dependencies): RequestHandler<ProductParams> {
  const { payments } = dependencies;
  return async (request, response) => {
    const product = await findProduct(dependencies, request.params.id);
    if (product === undefined) throw notFound();
    const user = await findSignedInUser(dependencies, request);
    const visitor = user && {
      account: user.id,
      access: await productAccess(dependencies, user.id, product.id),
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

function buyProduct(dependencies: Dependencies): RequestHandler<ProductParams>[] {
  const { baseUrl, db, clock, payments } = dependencies;
  const home = ({ id }: ProductParams) => productPath(id);
  return areaForm(dependencies, home, async ({ user, request, response }) => {
    const path = productPath(request.params.id);
    const product = await findProduct(dependencies, request.params.id);
    const offer = product && payments && productOffer(product);
    // The product's page says what is the matter.
    if (product === undefined || offer === undefined) return redirect(response, 303, path);
    if ((await productAccess(dependencies, user.id, product.id)) === 'for-life')
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

async function findProduct({ db }: Dependencies, text: string): Promise<ProductOnSale | undefined> {
  const id = uuidField.safeParse(text);
  return id.success ? await findProductOnSale(db, id.data) : undefined;
}
