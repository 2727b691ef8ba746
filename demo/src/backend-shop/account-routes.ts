import type { Latchkey } from '@latchkey/express';
import { type Request, Router } from 'express';
import { accountPage } from './account-page.js';
import type { Purchases } from './purchases.js';
import type { PageFrame } from './shop-layout.js';
import type { ListedMembership } from './site-memberships.js';

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
    const view = { memberships, finishedLessons: finishedLessons(request.latchkey?.user?.sub) };
    response.set('Cache-Control', 'no-store').send(accountPage(frame(request, 'Your account'), view));
  });
  return router;
}
