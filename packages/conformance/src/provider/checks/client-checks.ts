import * as oauth from '../calls/oauth-calls.js';
import {
  bareAuthorization,
  clientIdentity,
  madeUpToken,
  unknownClient,
} from '../calls/shared-observations.js';
import { expectUnknownClientsNotFound } from '../generated/generated-requests.js';
import { type Answer, dataOf, hasKey, requireFixture, requireSuccess, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, field, type Observe, once, type Session } from '../session/session.js';

const KEYS = ['clientId', 'name', 'description', 'logoUrl', 'widgetOriginAllowed'];

const identityOf = once(
  async (session, kind: 'described' | 'plain' | 'public', query = ''): Promise<Answer> => {
    const { clientId } = requireFixture<{ clientId: string }>(
      session.fixtures.clients[kind],
      `clients.${kind}`,
    );
    return await session.send({
      path: `${session.paths.clientIdentity.replace('{clientId}', clientId)}${query}`,
    });
  },
);

function withOrigin(session: Session, origin: string): Promise<Answer> {
  return identityOf(session, 'public', `?widget_origin=${encodeURIComponent(origin)}`);
}

const described = (session: Session) => identityOf(session, 'described');

const REDIRECT_URI = 'https://conformance.example/callback';

const registered = once((session, type: 'public' | 'confidential') =>
  session.drive('registerClient', { type, scopes: ['memberships.read'], redirectUri: REDIRECT_URI }),
);

function isRefused(status: number, location = ''): boolean {
  return status >= 400 || location.includes('error=invalid_scope');
}

function basicHeader(user: string, password: string | undefined) {
  return { headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` } };
}

/** Redeeming a code with the secret in the Basic header only, and these changes to the form, gives an OAuth error. */
function basicError(changes: oauth.Parameters, status: number, error: string): Observe {
  return async (session) => {
    const authorization = await oauth.authorize(session, { kind: 'confidential' });
    const { clientId, clientSecret } = oauth.clientOf(session, 'confidential');
    const fields = oauth.redemption(session, authorization, { client_secret: undefined, ...changes });
    const answer = await oauth.postTokenForm(session, fields, basicHeader(clientId, clientSecret));
    expect.oauthError(answer, status, error);
  };
}

/** Expects `invalid_client` at revoke. The endpoint's rules are about a success. */
function expectInvalidClient(answer: Answer): void {
  if (answer.status >= 400) expect.oauthError(answer, 401, 'invalid_client');
}

/** A token request of the confidential client with changes gives an OAuth error. */
function tokenError(changes: oauth.Parameters, status: number, error: string): Observe {
  return async (session) => expect.oauthError(await oauth.requestToken(session, changes), status, error);
}

/** Both endpoints that authenticate clients respond with `invalid_client`. */
function invalidAtBoth(changes: oauth.Parameters): Observe {
  return async (session) => {
    await tokenError(changes, 401, 'invalid_client')(session);
    expect.oauthError(await oauth.revokeUnknown(session, changes), 401, 'invalid_client');
  };
}

const PROBES = checksOf('probe', {
  'client-identity.public': check(clientIdentity, (answer) =>
    expect.accepted(answer, 'success without authentication'),
  ),
  async 'client-identity.client-id'(session) {
    const answer = requireSuccess(await clientIdentity(session));
    const asked = decodeURIComponent(new URL(answer.roundTrip.request.url).pathname.split('/').at(-1) ?? '');
    expect.equal(valueAt(answer, 'data', 'clientId'), asked, 'clientId');
  },
  'client-identity.name': field(clientIdentity, ['data', 'name'], expect.text),
  async 'client-identity.success-envelope'(session) {
    const answer = requireSuccess(await clientIdentity(session));
    const data = valueAt(answer, 'data');
    expect.that(typeof data === 'object' && data !== null, '`data` in a success', data);
    expect.absent(answer, 'errorCode');
  },
  async 'client-identity.unknown-client'(session) {
    const answer = await unknownClient(session);
    const found = [answer.status, valueAt(answer, 'success'), valueAt(answer, 'errorCode')].join(' ');
    expect.that(found === '404 false not_found', '404, `success` false and errorCode not_found', found);
    expect.text(valueAt(answer, 'message'), 'message');
    expect.absent(answer, 'data');
    // A read-only run sends as few requests as it can.
    if (session.isDestructive) await expectUnknownClientsNotFound(session);
  },
  async 'oauth-error.invalid-client-unknown'(session) {
    expect.oauthError(await madeUpToken(session), 401, 'invalid_client');
    if (session.isDestructive) await invalidAtBoth({ client_id: oauth.UNKNOWN_CLIENT })(session);
  },
});

const READS = checksOf('read', {
  async 'client-identity.envelope'(session) {
    const answer = requireSuccess(await clientIdentity(session));
    expect.that(
      hasKey(answer, 'data') && hasKey(answer, 'success'),
      'the envelope',
      answer.json ?? answer.text,
    );
  },
  'client-identity.description': field(described, ['data', 'description'], expect.text),
  'client-identity.logo-url': field(described, ['data', 'logoUrl'], expect.url),
  async 'client-identity.unset-keys-omitted'(session) {
    const answer = requireSuccess(await identityOf(session, 'plain'));
    const nulls = KEYS.filter((key) => valueAt(answer, 'data', key) === null);
    expect.that(nulls.length === 0, 'no key with the value null', nulls.join(', '));
  },
  async 'client-identity.widget-origin-allowed-presence'(session) {
    expect.absent(requireSuccess(await clientIdentity(session)), 'data', 'widgetOriginAllowed');
    const asked = requireSuccess(await withOrigin(session, 'https://elsewhere.example'));
    expect.that(
      hasKey(asked, 'data', 'widgetOriginAllowed'),
      '`widgetOriginAllowed` with widget_origin',
      asked.json,
    );
  },
  async 'client-identity.widget-origin'(session) {
    const allowed = requireFixture(session.fixtures.clients.widgetOrigin, 'clients.widgetOrigin');
    for (const [origin, expected] of [
      [allowed, true],
      ['https://elsewhere.example', false],
    ] as const) {
      const answer = requireSuccess(await withOrigin(session, origin));
      // Another rule is about its absence.
      const found = valueAt(answer, 'data', 'widgetOriginAllowed');
      if (found !== undefined) expect.equal(found, expected, `widgetOriginAllowed for ${origin}`);
    }
  },
  async 'credentials.registered-redirect-uris'(session) {
    const unknown = await oauth.authorizeBare(session, 'public', {
      redirect_uri: 'https://elsewhere.example/',
    });
    expect.that(unknown.status === 400, '400 for a redirect URI that is not registered', unknown.status);
    const known = await bareAuthorization(session);
    expect.that(known.status < 400, 'no refusal of a registered one', known.status);
  },
  async 'credentials.registered-widget-origins'(session) {
    const allowed = requireFixture(session.fixtures.clients.widgetOrigin, 'clients.widgetOrigin');
    const found = [];
    for (const origin of [allowed, 'https://elsewhere.example'])
      found.push(dataOf(await withOrigin(session, origin), 'widgetOriginAllowed'));
    expect.that(
      found[0] !== found[1] || found[0] === undefined,
      'a difference between a registered origin and another',
      found,
    );
  },
});

const WRITES = checksOf('write', {
  async 'credentials.client-id-format'(session) {
    const { clients } = session.fixtures;
    const ids = [
      clients.public?.clientId,
      clients.confidential?.clientId,
      (await registered(session, 'public')).clientId,
    ];
    for (const id of ids) {
      if (id !== undefined) expect.that(/^oac_[0-9a-f]{24}$/i.test(id), 'oac_ and 24 hex characters', id);
    }
  },
  async 'credentials.client-secret-format'(session) {
    const { clientSecret = '' } = await registered(session, 'confidential');
    const isSecret = /^ocs_[0-9a-f]{48}$/i.test(clientSecret);
    expect.that(isSecret, 'ocs_ and 48 hex characters', `a secret of ${clientSecret.length} characters`);
  },
  async 'credentials.client-secret-issued'(session) {
    const confidential = await registered(session, 'confidential');
    expect.that(confidential.clientSecret !== undefined, 'a client_secret for a confidential client', 'none');
    const open = await registered(session, 'public');
    expect.that(open.clientSecret === undefined, 'no client_secret for a public client', 'a client_secret');
  },
  async 'credentials.registered-scopes'(session) {
    const { clientId } = await registered(session, 'public');
    const changes = { client_id: clientId, redirect_uri: REDIRECT_URI };
    const own = await oauth.authorizeBare(session, 'public', { ...changes, scope: 'memberships.read' });
    expect.that(
      !(own.headers.location ?? '').includes('error=') && own.status < 400,
      'no refusal of a registered scope',
      own.status,
    );
    const unregistered = { ...changes, scope: 'products.read' };
    const other = await oauth.authorizeBare(session, 'public', unregistered);
    if (isRefused(other.status, other.headers.location)) return;
    // Some services reject it only after the user has signed in.
    const { location } = await oauth.authorize(session, { changes: unregistered });
    expect.that(
      isRefused(302, location.href),
      'a refusal of a scope that the client did not register',
      location.href,
    );
  },
  async 'token.basic-header-not-read'(session) {
    const authorization = await oauth.authorize(session, { kind: 'confidential' });
    const fields = oauth.redemption(session, authorization);
    const answer = await oauth.postTokenForm(session, fields, basicHeader('wrong', 'wrong'));
    expect.accepted(answer, 'success, whatever the Basic header contains');
  },
  'token.basic-client-invalid-request': basicError({ client_id: undefined }, 400, 'invalid_request'),
  'token.basic-client-invalid-client': basicError({}, 401, 'invalid_client'),
  'token.client-id-required': tokenError({ client_id: undefined }, 400, 'invalid_request'),
  'token.client-secret-confidential': tokenError({ client_secret: undefined }, 401, 'invalid_client'),
  async 'token.public-secret-refused'(session) {
    const answer = await oauth.redeemNewCode(session, { client_secret: `ocs_${'0'.repeat(48)}` });
    expect.oauthError(answer, 401, 'invalid_client');
  },
  'oauth-error.invalid-client-wrong-secret': invalidAtBoth({ client_secret: oauth.WRONG_SECRET }),
  async 'oauth-error.invalid-client-missing-secret'(session) {
    const { clientId } = oauth.clientOf(session, 'confidential');
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: 'unknown-token' };
    expect.oauthError(await oauth.postTokenForm(session, fields), 401, 'invalid_client');
    expectInvalidClient(await oauth.revokeUnknown(session, { client_secret: undefined }));
  },
  async 'oauth-error.invalid-client-public-secret'(session) {
    const { refresh: token } = await oauth.newPair(session);
    const changes = { client_secret: oauth.WRONG_SECRET };
    expect.oauthError(
      await oauth.refresh(session, { kind: 'public', refresh: token }, changes),
      401,
      'invalid_client',
    );
    const { clientId } = oauth.clientOf(session, 'public');
    expectInvalidClient(await oauth.revokeUnknown(session, { client_id: clientId, ...changes }));
  },
});

export const clientChecks = [...PROBES, ...READS, ...WRITES];
