import { ENVELOPE_ERROR_CODES } from '@latchkey/contract/constants';
import { fullKey, getWithKey, mainCommunity, postWithKey } from '../calls/api-key-calls.js';
import * as shared from '../calls/shared-observations.js';
import { expectInvalidBodiesRejected, expectValidBodiesProcessed } from '../generated/generated-requests.js';
import { type Answer, hasKey, isRejection, requireSuccess, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import { check, checksOf, type Observe, type Session } from '../session/session.js';

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;
const EMITTED_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const VERSION_HEADERS = ['api-version', 'x-api-version', 'x-version', 'accept-version'];

async function envelopes(session: Session): Promise<readonly Answer[]> {
  const found = session.isDestructive
    ? [(await shared.created(session)).answer, (await shared.signedUp(session)).answer]
    : [];
  const { clients } = session.fixtures;
  if (found.length === 0 || clients.public !== undefined) found.push(await shared.clientIdentity(session));
  return found.map(requireSuccess);
}

function each(
  observe: (session: Session) => Promise<readonly Answer[]>,
  rule: (answer: Answer) => void,
): Observe {
  return check(observe, (answers) => {
    for (const answer of answers) rule(answer);
  });
}

/** Returns the rejections with a rejection body. Another rule is about other bodies. */
async function rejectionBodies(session: Session): Promise<readonly Answer[]> {
  return (await shared.rejections(session)).filter(isRejection);
}

/** Endpoints that OpenID Connect and other OAuth extensions would add. */
function notFound(...paths: readonly string[]): readonly Observe[] {
  return paths.map((path) =>
    check(
      (session) => session.send({ path }),
      ({ status }) => expect.that(status === 404, `404 of GET ${path}`, status),
    ),
  );
}

const PROBES = checksOf('probe', {
  async 'general.json-over-https'(session) {
    const url = new URL(session.options.baseUrl);
    const isSafe = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
    expect.that(isSafe, 'https, or a loopback address', session.options.baseUrl);
    for (const answer of [
      await shared.unknownClient(session),
      (await shared.rejectedKeys(session)).missing,
    ]) {
      const type = answer.headers['content-type'] ?? '';
      expect.that(type.startsWith('application/json'), 'the content type application/json', type);
    }
  },
  'envelope.data-absent-on-failure': each(shared.endpointFailures, (answer) => {
    const data = valueAt(answer, 'data');
    expect.that(data === undefined || data === null, 'no `data` in a failure', data);
  }),
  'envelope.error-code-format': each(shared.endpointFailures, (answer) => {
    const code = valueAt(answer, 'errorCode');
    const isCode = code === undefined || (typeof code === 'string' && /^[a-z]+(?:_[a-z]+)*$/.test(code));
    expect.that(isCode, 'snake_case in lower case', code);
  }),
  'envelope.error-code-known-values': each(shared.failuresWithNamedCode, (answer) => {
    // The set can grow. An unknown value is only wrong where the specification says which value it is.
    const code = valueAt(answer, 'errorCode');
    // Another rule is about its case.
    if (typeof code === 'string') expect.oneOf(code.toLowerCase(), ENVELOPE_ERROR_CODES, 'errorCode');
  }),
  'envelope.message-on-failure': each(shared.endpointFailures, (answer) =>
    expect.text(valueAt(answer, 'message'), 'message'),
  ),
  'envelope.correlation-key-presence': each(shared.endpointFailures, (answer) =>
    expect.absent(answer, 'correlationKey'),
  ),
  'envelope.log-url-presence': each(shared.endpointFailures, (answer) => expect.absent(answer, 'logUrl')),
  'rejection.success-false': each(rejectionBodies, (answer) =>
    expect.equal(valueAt(answer, 'success'), false, 'success'),
  ),
  'rejection.message': each(rejectionBodies, (answer) => expect.text(valueAt(answer, 'message'), 'message')),
  'rejection.status-code': each(rejectionBodies, (answer) =>
    expect.equal(valueAt(answer, 'statusCode'), answer.status, 'statusCode'),
  ),
  'rejection.timestamp': each(rejectionBodies, (answer) =>
    expect.timestamp(valueAt(answer, 'timestamp'), 'timestamp'),
  ),
  async 'rejection.path'(session) {
    for (const answer of await rejectionBodies(session)) {
      const { pathname } = new URL(answer.roundTrip.request.url);
      const base = new URL(session.options.baseUrl).pathname.replace(/\/$/, '');
      const path = valueAt(answer, 'path');
      expect.that(path === pathname || path === pathname.slice(base.length), `path to be ${pathname}`, path);
    }
  },
  'rejection.no-error-code': each(rejectionBodies, (answer) => expect.absent(answer, 'errorCode')),
  'rejection.no-data': each(rejectionBodies, (answer) => expect.absent(answer, 'data')),
  'rejection.before-endpoint': each(shared.rejections, (answer) =>
    expect.that(isRejection(answer), 'the rejection body', answer.json ?? answer.text),
  ),
  'envelope.endpoint-failure': each(shared.endpointFailures, (answer) => {
    expect.that(hasKey(answer, 'errorCode'), 'an envelope with `errorCode`', answer.json ?? answer.text);
    expect.that(!isRejection(answer), 'an envelope, not a rejection body', answer.json);
    expect.equal(valueAt(answer, 'success'), false, '`success` of a failure');
  }),
  'versioning.no-path-prefix': check(shared.unknownClient, (answer) =>
    expect.that(
      valueAt(answer, 'errorCode') !== undefined,
      'an endpoint at its path without a prefix',
      answer.status,
    ),
  ),
  async 'versioning.no-version-header'(session) {
    for (const { headers } of [
      await shared.unknownClient(session),
      (await shared.rejectedKeys(session)).missing,
    ]) {
      const found = VERSION_HEADERS.filter((name) => name in headers);
      expect.that(found.length === 0, 'no header with a version', found.join(', '));
    }
  },
  'general.no-openid-connect': [
    ...notFound('/.well-known/openid-configuration', '/.well-known/jwks.json', '/oauth/jwks'),
    async (session) => {
      // Even without a token pair, a run has seen that there is no discovery and no key set.
      if (!session.canDrive('authorize')) return;
      expect.absent((await shared.redeemed(session, 'public')).answer, 'id_token');
    },
  ],
  'general.seven-oauth-endpoints': notFound(
    '/oauth/introspect',
    '/oauth/device_authorization',
    '/oauth/register',
  ),
});

const READS = checksOf('read', {
  async 'general.five-api-key-endpoints'(session) {
    for (const path of [session.paths.userinfo, session.paths.memberships, session.paths.products]) {
      const answer = await getWithKey(session, path);
      expect.that(answer.status === 401, `401 of GET ${path} with an API key`, answer.status);
    }
  },
});

const WRITES = checksOf('write', {
  'envelope.success-true': each(envelopes, (answer) =>
    expect.equal(valueAt(answer, 'success'), true, 'success'),
  ),
  'envelope.error-code-absent-on-success': each(envelopes, (answer) => expect.absent(answer, 'errorCode')),
  async 'general.timestamp-format'(session) {
    const provisioned = requireSuccess((await shared.created(session)).answer);
    const signup = requireSuccess((await shared.signedUp(session)).answer);
    const found = [
      valueAt(provisioned, 'data', 'validFrom'),
      valueAt(provisioned, 'data', 'validUntil'),
      valueAt(signup, 'data', 'dropSlotInfo', 'startsAt'),
      valueAt((await shared.rejectedKeys(session)).missing, 'timestamp'),
    ];
    for (const value of found) {
      // The fields' own rules are about absence and other types.
      if (typeof value !== 'string' || !value.startsWith('20')) continue;
      expect.that(EMITTED_TIMESTAMP.test(value), 'ISO-8601 with milliseconds and Z', value);
    }
  },
  async 'general.uuid-format'(session) {
    const provisioned = requireSuccess((await shared.created(session)).answer);
    const found = [
      valueAt(provisioned, 'data', 'membershipId'),
      valueAt(provisioned, 'data', 'userId'),
      ...(session.canDrive('authorize') ? [valueAt(await shared.resource(session, 'userinfo'), 'sub')] : []),
    ];
    for (const value of found) {
      if (value !== undefined) expect.uuid(value, 'a field of type uuid');
    }
  },
  async 'api-key.envelope'(session) {
    const answers = [(await shared.created(session)).answer, (await shared.signedUp(session)).answer];
    for (const answer of answers.map(requireSuccess)) {
      expect.that(hasKey(answer, 'data'), 'the envelope with `data`', answer.json ?? answer.text);
    }
    await expectValidBodiesProcessed(session);
  },
  async 'api-key.no-x-api-key'(session) {
    const body = { communityId: mainCommunity(session).id, email: session.newEmail() };
    const headers = { 'x-api-key': fullKey(session) };
    const answer = await postWithKey(session, session.paths.dropSignup, { body, key: null, headers });
    expect.that(answer.status === 401, '401 for a key in X-Api-Key', answer.status);
  },
  async 'api-key.status-validation'(session) {
    const answer = await postWithKey(session, session.paths.provisionExternal, { body: {} });
    expect.that(answer.status === 400, '400 for a body without fields', answer.status);
    await expectInvalidBodiesRejected(session);
  },
});

export const generalChecks = [...PROBES, ...READS, ...WRITES];
