import { fullKey, getWithKey, mainCommunity, postWithKey } from '../calls/api-key-calls.js';
import {
  created,
  endpointFailures,
  failuresWithNamedCode,
  redeemed,
  rejectedKeys,
  rejections,
  resource,
  signedUp,
  unknownClient,
} from '../calls/shared-observations.js';
import { expectInvalidBodiesRejected, expectValidBodiesProcessed } from '../generated/generated-requests.js';
import { type Answer, hasKey, valueAt } from '../session/answer.js';
import {
  expectAbsent,
  expectEqual,
  expectOneOf,
  expectText,
  expectThat,
  expectTimestamp,
  expectUuid,
  isRejection,
  requireFixture,
  requireSuccess,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';

/** Values of `errorCode` in the specification. */
const ERROR_CODES = [
  'not_found',
  'bad_request',
  'already_exists',
  'unauthorized',
  'forbidden',
  'internal_server_error',
  'service_unavailable',
  'timeout',
  'conflict',
  'precondition_failed',
  'unprocessable_entity',
];
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/;
const EMITTED_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const VERSION_HEADERS = ['api-version', 'x-api-version', 'x-version', 'accept-version'];

/** Identity of a client that exists: any of the fixtures. */
export function clientIdentity(session: Session): Promise<Answer> {
  return session.once('client identity', async () => {
    const { clients } = session.fixtures;
    const client = clients.public ?? clients.confidential ?? clients.described ?? clients.plain;
    const { clientId } = requireFixture(client, 'clients.public');
    return await session.send({ path: session.paths.clientIdentity.replace('{clientId}', clientId) });
  });
}

/** Successful envelopes that the run can observe. */
async function envelopes(session: Session): Promise<readonly Answer[]> {
  const found = session.isDestructive
    ? [(await created(session)).answer, (await signedUp(session)).answer]
    : [];
  const { clients } = session.fixtures;
  if (found.length === 0 || clients.public !== undefined) found.push(await clientIdentity(session));
  return found.map(requireSuccess);
}

async function forEachRejection(session: Session, check: (answer: Answer) => void): Promise<void> {
  for (const answer of await rejections(session)) {
    if (isRejection(answer)) check(answer);
  }
}

/** Endpoints that OpenID Connect and other OAuth extensions would add. */
async function expectNotFound(session: Session, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const answer = await session.send({ path });
    expectThat(answer.status === 404, `404 of GET ${path}`, answer.status);
  }
}

export const generalReadChecks = checksOf('read', {
  async 'general.json-over-https'(session) {
    const url = new URL(session.baseUrl);
    const isSafe = url.protocol === 'https:' || LOOPBACK.test(url.hostname);
    expectThat(isSafe, 'https, or a loopback address', session.baseUrl);
    for (const answer of [await unknownClient(session), (await rejectedKeys(session)).missing]) {
      const type = answer.headers['content-type'] ?? '';
      expectThat(type.startsWith('application/json'), 'the content type application/json', type);
    }
  },
  async 'envelope.data-absent-on-failure'(session) {
    for (const answer of await endpointFailures(session)) {
      const data = valueAt(answer, 'data');
      expectThat(data === undefined || data === null, 'no `data` in a failure', data);
    }
  },
  async 'envelope.error-code-format'(session) {
    for (const answer of await endpointFailures(session)) {
      const code = valueAt(answer, 'errorCode');
      if (code === undefined) continue;
      expectThat(
        typeof code === 'string' && /^[a-z]+(?:_[a-z]+)*$/.test(code),
        'snake_case in lower case',
        code,
      );
    }
  },
  async 'envelope.error-code-known-values'(session) {
    // The set can grow. Only where the specification names the value, an unknown one is wrong.
    for (const answer of await failuresWithNamedCode(session)) {
      const code = valueAt(answer, 'errorCode');
      // Its letter case is the matter of another rule.
      if (typeof code === 'string') expectOneOf(code.toLowerCase(), ERROR_CODES, 'errorCode');
    }
  },
  async 'envelope.message-on-failure'(session) {
    for (const answer of await endpointFailures(session)) expectText(valueAt(answer, 'message'), 'message');
  },
  async 'envelope.correlation-key-presence'(session) {
    for (const answer of await endpointFailures(session)) expectAbsent(answer, 'correlationKey');
  },
  async 'envelope.log-url-presence'(session) {
    for (const answer of await endpointFailures(session)) expectAbsent(answer, 'logUrl');
  },
  async 'rejection.success-false'(session) {
    await forEachRejection(session, (answer) => expectEqual(valueAt(answer, 'success'), false, 'success'));
  },
  async 'rejection.message'(session) {
    await forEachRejection(session, (answer) => expectText(valueAt(answer, 'message'), 'message'));
  },
  async 'rejection.status-code'(session) {
    await forEachRejection(session, (answer) =>
      expectEqual(valueAt(answer, 'statusCode'), answer.status, 'statusCode'),
    );
  },
  async 'rejection.timestamp'(session) {
    await forEachRejection(session, (answer) => expectTimestamp(valueAt(answer, 'timestamp'), 'timestamp'));
  },
  async 'rejection.path'(session) {
    await forEachRejection(session, (answer) => {
      const { pathname } = new URL(answer.exchange.request.url);
      const base = new URL(session.baseUrl).pathname.replace(/\/$/, '');
      const path = valueAt(answer, 'path');
      expectThat(path === pathname || path === pathname.slice(base.length), `path to be ${pathname}`, path);
    });
  },
  async 'rejection.no-error-code'(session) {
    await forEachRejection(session, (answer) => expectAbsent(answer, 'errorCode'));
  },
  async 'rejection.no-data'(session) {
    await forEachRejection(session, (answer) => expectAbsent(answer, 'data'));
  },
  async 'rejection.before-endpoint'(session) {
    for (const answer of await rejections(session)) {
      expectThat(isRejection(answer), 'the rejection body', answer.json ?? answer.text);
    }
  },
  async 'envelope.endpoint-failure'(session) {
    for (const answer of await endpointFailures(session)) {
      expectThat(hasKey(answer, 'errorCode'), 'an envelope with `errorCode`', answer.json ?? answer.text);
      expectThat(!isRejection(answer), 'an envelope, not a rejection body', answer.json);
      expectEqual(valueAt(answer, 'success'), false, '`success` of a failure');
    }
  },
  async 'versioning.no-path-prefix'(session) {
    const answer = await unknownClient(session);
    expectThat(
      valueAt(answer, 'errorCode') !== undefined,
      'an endpoint at its path without a prefix',
      answer.status,
    );
  },
  async 'versioning.no-version-header'(session) {
    for (const { headers } of [await unknownClient(session), (await rejectedKeys(session)).missing]) {
      const found = VERSION_HEADERS.filter((name) => name in headers);
      expectThat(found.length === 0, 'no header with a version', found.join(', '));
    }
  },
  async 'general.no-openid-connect'(session) {
    await expectNotFound(session, [
      '/.well-known/openid-configuration',
      '/.well-known/jwks.json',
      '/oauth/jwks',
    ]);
    // A run without a token pair has still seen that there is no discovery and no key set.
    if (!session.canDrive('authorize')) return;
    expectAbsent((await redeemed(session, 'public')).answer, 'id_token');
  },
  async 'general.seven-oauth-endpoints'(session) {
    await expectNotFound(session, ['/oauth/introspect', '/oauth/device_authorization', '/oauth/register']);
  },
  async 'general.five-api-key-endpoints'(session) {
    for (const path of [session.paths.userinfo, session.paths.memberships, session.paths.products]) {
      const answer = await getWithKey(session, path);
      expectThat(answer.status === 401, `401 of GET ${path} with an API key`, answer.status);
    }
  },
});

export const generalWriteChecks = checksOf('write', {
  async 'envelope.success-true'(session) {
    for (const answer of await envelopes(session)) expectEqual(valueAt(answer, 'success'), true, 'success');
  },
  async 'envelope.error-code-absent-on-success'(session) {
    for (const answer of await envelopes(session)) expectAbsent(answer, 'errorCode');
  },
  async 'general.timestamp-format'(session) {
    const provisioned = requireSuccess((await created(session)).answer);
    const signup = requireSuccess((await signedUp(session)).answer);
    const found = [
      valueAt(provisioned, 'data', 'validFrom'),
      valueAt(provisioned, 'data', 'validUntil'),
      valueAt(signup, 'data', 'dropSlotInfo', 'startsAt'),
      valueAt((await rejectedKeys(session)).missing, 'timestamp'),
    ];
    for (const value of found) {
      // Absence and other types are the matter of the fields' own rules.
      if (typeof value !== 'string' || !value.startsWith('20')) continue;
      expectThat(EMITTED_TIMESTAMP.test(value), 'ISO-8601 with milliseconds and Z', value);
    }
  },
  async 'general.uuid-format'(session) {
    const provisioned = requireSuccess((await created(session)).answer);
    const found = [
      valueAt(provisioned, 'data', 'membershipId'),
      valueAt(provisioned, 'data', 'userId'),
      ...(session.canDrive('authorize') ? [valueAt(await resource(session, 'userinfo'), 'sub')] : []),
    ];
    for (const value of found) {
      if (value !== undefined) expectUuid(value, 'a field of type uuid');
    }
  },
  async 'api-key.envelope'(session) {
    const answers = [(await created(session)).answer, (await signedUp(session)).answer];
    for (const answer of answers.map(requireSuccess)) {
      expectThat(hasKey(answer, 'data'), 'the envelope with `data`', answer.json ?? answer.text);
    }
    await expectValidBodiesProcessed(session);
  },
  async 'api-key.no-x-api-key'(session) {
    const body = { communityId: mainCommunity(session).id, email: session.newEmail() };
    const headers = { 'x-api-key': fullKey(session) };
    const answer = await postWithKey(session, session.paths.dropSignup, { body, key: null, headers });
    expectThat(answer.status === 401, '401 for a key in X-Api-Key', answer.status);
  },
  async 'api-key.status-validation'(session) {
    const answer = await postWithKey(session, session.paths.provisionExternal, { body: {} });
    expectThat(answer.status === 400, '400 for a body without fields', answer.status);
    await expectInvalidBodiesRejected(session);
  },
});
