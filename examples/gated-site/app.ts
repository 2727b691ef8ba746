import { randomBytes } from 'node:crypto';
import { LatchkeyClient } from '@latchkey/client';
import { latchkey, type MembershipRule, sqliteDirectory } from '@latchkey/express';
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
  // Signs the events of the community. This one is published with the sandbox, so the kit accepts it on this machine only.
  LATCHKEY_WEBHOOK_SECRET: webhookSecret = '5eed00f1'.repeat(8),
  // Without a file, a restart forgets whose memberships this site has sold.
  MEMBERSHIPS_FILE: membershipsFile = ':memory:',
  COOKIE_SECRET: cookieSecret = randomBytes(32).toString('base64url'),
} = process.env;
const appUrl = `http://localhost:${PORT}`;

const auth = latchkey({
  ...{ serviceUrl, clientId, clientSecret, appUrl, cookieSecret },
  upgradeUrl: '/join',
  directory: sqliteDirectory(membershipsFile),
});
const client = new LatchkeyClient({ serviceUrl, apiKey });
const members: MembershipRule = { communityId };
const plan = { id: pricingPlanId, communityId, name: 'Membership', price: '€9.00', term: 'every 30 days' };
// Ada became a member before this site received events.
await auth.directory.record({ membershipId: '5eed0000-0000-4000-8000-0000000000a1', communityId });

const app = express();
app.use(auth.router);
// Events of the community record who became a member of this site.
app.all('/webhooks', auth.webhooks({ communities: { [communityId]: webhookSecret } }));
// Opens the payment page, and waits for the membership when the buyer returns. A member does not pay again.
app.use(auth.checkout({ client, plans: [plan] }));

// Public page. `view` adapts its content. To protect content, use a gate.
app.get('/', auth.locals(), (_request, response) => {
  const view = response.locals.latchkey;
  response.send(homePage({ view, notes, mayRead: view?.has(members) ?? false }));
});

// For members. Other visitors see a preview with links to sign in and to join.
app.get(
  '/notes/:name',
  (request, response, next) => {
    if (findNote(request.params.name) === undefined) response.status(404).send('This note does not exist.');
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

// Requires sign-in, because a checkout is bound to an email address.
app.get(
  '/join',
  auth.requireSignIn(),
  auth.signedIn((request, response) => {
    response.send(joinPage({ user: request.latchkey.user, plan, returnTo: '/welcome' }));
  }),
);

// The checkout ends here. A request is no proof of payment, so the gate waits for the service.
app.get('/welcome', auth.awaitMembership(members), (_request, response) => {
  response.send(welcomePage(notes));
});

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`${appUrl}\n`));
