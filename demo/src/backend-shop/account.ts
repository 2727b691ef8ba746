import type { Latchkey } from '@latchkey/express';
import { type Request, Router } from 'express';
import { html } from '../html.js';
import { type PageFrame, shopLayout } from './shop-layout.js';
import {
  dayOf,
  type ListedMembership,
  nameOfMembership,
  type Purchase,
  type Purchases,
  periodOf,
  priceOf,
} from './site-memberships.js';

interface AccountNeeds {
  readonly auth: Latchkey;
  readonly purchases: Purchases;
  frame(request: Request, title: string): PageFrame;
  ownMemberships(request: Request): Promise<readonly ListedMembership[]>;
  finishedLessons(sub: string | undefined): number;
}

/** Serves the account page to everybody who is signed in. */
export function accountRoutes({
  auth,
  purchases,
  frame,
  ownMemberships,
  finishedLessons,
}: AccountNeeds): Router {
  const router = Router();
  router.get('/account', auth.requireSignIn(), async (request, response) => {
    const memberships = (await ownMemberships(request)).map((membership) => ({
      membership,
      purchase: purchases.find(membership.id),
    }));
    const finished = finishedLessons(request.latchkey?.user?.sub);
    response
      .set('Cache-Control', 'no-store')
      .send(accountPage(frame(request, 'Your account'), memberships, finished));
  });
  return router;
}

/** The account page of the shop. Payments and the profile are managed at the service. */
function accountPage(
  frame: PageFrame,
  memberships: readonly { membership: ListedMembership; purchase: Purchase | undefined }[],
  finishedLessons: number,
): string {
  const manage = `${frame.places.serviceUrl}/account`;
  return shopLayout(
    frame,
    html`      <div class="page-head">
        <div class="wrap">
          <p class="greeting">Signed in as</p>
          <h1 class="address">${frame.signedInAs ?? 'a friend'}</h1>
        </div>
      </div>
      <div class="section">
        <div class="wrap columns">
          <section aria-labelledby="memberships-title">
            <h2 id="memberships-title">Your memberships</h2>
            ${
              memberships.length === 0
                ? html`<p class="empty-state">This account has no active membership of this shop.</p>
            <p><a class="button" href="/#join">See what a seat includes</a></p>`
                : html`<dl class="perks">
              ${memberships.map(
                ({ membership, purchase }) => html`<div>
                <dt>${nameOfMembership(membership)}</dt>
                <dd>${periodOf(membership)}</dd>
                ${purchase === undefined ? '' : html`<dd>Last payment: ${priceOf(purchase)} on ${dayOf(purchase.paidAt)}</dd>`}
              </div>`,
              )}
            </dl>`
            }
            <p class="fact">${finishedLessons === 0 ? 'No lesson finished yet.' : `Lessons finished: ${finishedLessons}.`}</p>
          </section>
          <div class="stack">
            <div class="card">
              <h2>Payments and profile</h2>
              <p>Renewal, cancellation, receipts and your <span class="unbroken">e-mail</span> address are at the membership service.</p>
              <a class="button" href="${manage}">Manage your subscription</a>
            </div>
            <div class="card">
              <h2>Sign out</h2>
              <p>Ends the session of this shop on this device. Your memberships stay as they are.</p>
              <form method="post" action="/auth/logout"><button class="button button-quiet" type="submit">Sign out of this shop</button></form>
            </div>
          </div>
        </div>
      </div>`,
  );
}
