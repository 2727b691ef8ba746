import { authorize, authorizeBare, clientOf } from '../calls/oauth-calls.js';
import { valueAt } from '../session/answer.js';
import { expectThat, requireFixture, requireSuccess } from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

const REDIRECT_URI = 'https://conformance.example/callback';

/** A client that the driver registered. */
function registered(session: Session, type: 'public' | 'confidential') {
  return session.once(`registered ${type} client`, () =>
    session.drive('registerClient', { type, scopes: ['memberships.read'], redirectUri: REDIRECT_URI }),
  );
}

function isRefused(status: number, location = ''): boolean {
  return status >= 400 || location.includes('error=invalid_scope');
}

export const registrationReadChecks = checksOf('read', {
  async 'credentials.registered-redirect-uris'(session) {
    const unknown = await authorizeBare(session, 'public', { redirect_uri: 'https://elsewhere.example/' });
    expectThat(unknown.status === 400, '400 for a redirect URI that is not registered', unknown.status);
    const known = await session.once('bare authorize', () => authorizeBare(session, 'public'));
    expectThat(known.status < 400, 'no refusal of a registered one', known.status);
  },
  async 'credentials.registered-widget-origins'(session) {
    const allowed = requireFixture(session.fixtures.clients.widgetOrigin, 'clients.widgetOrigin');
    const path = session.paths.clientIdentity.replace('{clientId}', clientOf(session, 'public').clientId);
    const found = [];
    for (const origin of [allowed, 'https://elsewhere.example']) {
      const answer = await session.send({ path: `${path}?widget_origin=${encodeURIComponent(origin)}` });
      found.push(valueAt(requireSuccess(answer), 'data', 'widgetOriginAllowed'));
    }
    expectThat(
      found[0] !== found[1] || found[0] === undefined,
      'a difference between a registered origin and another',
      found,
    );
  },
});

export const registrationChecks = checksOf('write', {
  async 'credentials.client-id-format'(session) {
    const { clients } = session.fixtures;
    const ids = [
      clients.public?.clientId,
      clients.confidential?.clientId,
      (await registered(session, 'public')).clientId,
    ];
    for (const id of ids) {
      if (id !== undefined) expectThat(/^oac_[0-9a-f]{24}$/i.test(id), 'oac_ and 24 hex characters', id);
    }
  },
  async 'credentials.client-secret-format'(session) {
    const { clientSecret = '' } = await registered(session, 'confidential');
    const isSecret = /^ocs_[0-9a-f]{48}$/i.test(clientSecret);
    expectThat(isSecret, 'ocs_ and 48 hex characters', `a secret of ${clientSecret.length} characters`);
  },
  async 'credentials.client-secret-issued'(session) {
    const confidential = await registered(session, 'confidential');
    expectThat(confidential.clientSecret !== undefined, 'a client_secret for a confidential client', 'none');
    const open = await registered(session, 'public');
    expectThat(open.clientSecret === undefined, 'no client_secret for a public client', 'a client_secret');
  },
  async 'credentials.registered-scopes'(session) {
    const { clientId } = await registered(session, 'public');
    const changes = { client_id: clientId, redirect_uri: REDIRECT_URI };
    const own = await authorizeBare(session, 'public', { ...changes, scope: 'memberships.read' });
    expectThat(
      !(own.headers.location ?? '').includes('error=') && own.status < 400,
      'no refusal of a registered scope',
      own.status,
    );
    const unregistered = { ...changes, scope: 'products.read' };
    const other = await authorizeBare(session, 'public', unregistered);
    if (isRefused(other.status, other.headers.location)) return;
    // Some services refuse only after the user has signed in.
    const { location } = await authorize(session, { changes: unregistered });
    expectThat(
      isRefused(302, location.href),
      'a refusal of a scope that the client did not register',
      location.href,
    );
  },
});
