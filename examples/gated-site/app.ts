import { randomBytes, randomUUID } from 'node:crypto';
import { LatchkeyClient } from '@latchkey/client';
import { latchkey, type MembershipRule } from '@latchkey/express';
import express from 'express';
import { findNote, notes } from './notes.ts';
import { homePage, joinPage, notePage, teaserPage, welcomePage } from './pages.ts';

const {
  PORT = '4404',
  LATCHKEY_SERVICE_URL: serviceUrl = 'http://127.0.0.1:4400',
  LATCHKEY_CLIENT_ID: clientId = 'oac_e5e5e5e5e5e5e5e5e5e5e5e5',
  LATCHKEY_CLIENT_SECRET: clientSecret = `ocs_${'e5'.repeat(24)}`,
  LATCHKEY_API_KEY: apiKey = `svc_${'sandbox'.repeat(6)}0`,
  LATCHKEY_COMMUNITY_ID: communityId = '5eed0000-0000-4000-8000-0000000000c0',
  LATCHKEY_PRICING_PLAN_ID: pricingPlanId = '5eed0000-0000-4000-8000-0000000000d1',
  COOKIE_SECRET: cookieSecret = randomBytes(32).toString('base64url'),
} = process.env;
const appUrl = `http://localhost:${PORT}`;

const auth = latchkey({ serviceUrl, clientId, clientSecret, appUrl, cookieSecret, upgradeUrl: '/join' });
const service = new LatchkeyClient({ serviceUrl, apiKey });
const members: MembershipRule = { productType: 'community' };

const app = express();
app.use(auth.router);

// For everybody. What a page says goes by `view`, what it protects by a gate.
app.get('/', auth.locals(), (_request, response) => {
  const view = response.locals.latchkey;
  response.send(homePage({ view, notes, mayRead: view?.has(members) ?? false }));
});

// For members; others get the first lines, and the ways in.
app.get(
  '/notes/:name',
  (request, response, next) => {
    if (findNote(request.params.name) === undefined) response.status(404).send('There is no such note.');
    else next();
  },
  auth.requireMembership(members, {
    teaser: (request, response, { signInUrl, upgradeUrl, user }) => {
      const note = findNote(String(request.params.name));
      response.send(teaserPage({ note, signInUrl, upgradeUrl, user }));
    },
  }),
  (request, response) => {
    response.send(notePage(findNote(request.params.name)));
  },
);

// The offer. It needs to know who buys: a checkout is bound to an e-mail address.
app.get(
  '/join',
  auth.requireSignIn(),
  auth.signedIn((request, response) => {
    response.send(joinPage(request.latchkey.user));
  }),
);
app.post(
  '/join',
  auth.requireSignIn(),
  auth.signedIn(async (request, response) => {
    const { email } = request.latchkey.user;
    if (email === null) throw new Error('This account has no e-mail address to bind a checkout to.');
    const { checkoutUrl } = await service.buyPlan({
      ...{ communityId, pricingPlanId, email, externalId: randomUUID() },
      ...{ successUrl: `${appUrl}/welcome`, cancelUrl: `${appUrl}/join` },
    });
    response.redirect(303, checkoutUrl);
  }),
);

// Back from checkout. That they are here proves nothing: the gate waits until the service says so.
app.get('/welcome', auth.awaitMembership(members), (_request, response) => {
  response.send(welcomePage(notes));
});

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`${appUrl}\n`));
