import type { RequestHandler } from 'express';

/**
 * Admits forms of this shop's own pages only. Browsers report the sender in `Sec-Fetch-Site`, which pages cannot forge. Older
 * ones send `Origin` with every POST.
 */
export function requireOwnPage(shopUrl: string): RequestHandler {
  return (request, response, next) => {
    const site = request.get('Sec-Fetch-Site');
    const isOwn = site === undefined ? request.get('Origin') === shopUrl : site === 'same-origin';
    if (isOwn) next();
    else
      response
        .status(403)
        .type('text')
        .send('This form belongs to another page. Open the shop, and send it there.');
  };
}
