import type { AppUrl } from '../http/app-url.js';
import type { Endpoint } from '../sign-in/endpoint.js';
import type { CheckoutSettings } from './checkout-options.js';
import { sendCheckoutPage } from './checkout-page.js';
import { CHECKOUT_TEXTS } from './checkout-texts.js';
import { checkoutPath, readCancelled } from './checkout-urls.js';
import { isScript } from './read-checkout-request.js';

/** `GET /auth/plans`: the plans for sale. It depends on no session, so caches may store it if they check it again. */
export function plansEndpoint({ plans }: Pick<CheckoutSettings, 'plans'>): Endpoint {
  return async ({ response }) => {
    response.removeHeader('Vary');
    response.setHeader('Cache-Control', 'no-cache');
    response.status(200).json({ plans });
  };
}

/** `GET /auth/checkout/cancelled`: the page for a buyer who left the payment page without paying. */
export function cancelledEndpoint({ app, settings }: { app: AppUrl; settings: CheckoutSettings }): Endpoint {
  return async (exchange) => {
    const { request, response } = exchange;
    const { plan, returnTo, offeredAt } = readCancelled(request.url, { app, plans: settings.plans });
    if (isScript(request)) {
      const { message } = CHECKOUT_TEXTS.cancelled;
      return void response.status(200).json({ state: 'cancelled', message, continueUrl: offeredAt });
    }
    await sendCheckoutPage(settings, exchange, {
      state: 'cancelled',
      plan,
      continueUrl: offeredAt,
      retry: plan && { action: checkoutPath(app), returnTo },
    });
  };
}
