import { unknownClient } from '../calls/shared-observations.js';
import { expectUnknownClientsNotFound } from '../generated/generated-oauth-requests.js';
import { type Answer, hasKey, valueAt } from '../session/answer.js';
import {
  expectAbsent,
  expectEqual,
  expectText,
  expectThat,
  expectUrl,
  requireFixture,
  requireSuccess,
} from '../session/assertions.js';
import { checksOf } from '../session/provider-check.js';
import type { Session } from '../session/session.js';
import { clientIdentity } from './general-checks.js';

const KEYS = ['clientId', 'name', 'description', 'logoUrl', 'widgetOriginAllowed'];

function identityOf(session: Session, kind: 'described' | 'plain' | 'public', query = ''): Promise<Answer> {
  return session.once(`identity ${kind} ${query}`, async () => {
    const { clientId } = requireFixture<{ clientId: string }>(
      session.fixtures.clients[kind],
      `clients.${kind}`,
    );
    return await session.send({
      path: `${session.paths.clientIdentity.replace('{clientId}', clientId)}${query}`,
    });
  });
}

function withOrigin(session: Session, origin: string): Promise<Answer> {
  return identityOf(session, 'public', `?widget_origin=${encodeURIComponent(origin)}`);
}

export const clientIdentityChecks = checksOf('read', {
  async 'client-identity.public'(session) {
    const answer = await clientIdentity(session);
    expectThat(answer.status < 300, 'success without authentication', answer.status);
  },
  async 'client-identity.client-id'(session) {
    const answer = requireSuccess(await clientIdentity(session));
    const asked = decodeURIComponent(new URL(answer.exchange.request.url).pathname.split('/').at(-1) ?? '');
    expectEqual(valueAt(answer, 'data', 'clientId'), asked, 'clientId');
  },
  async 'client-identity.name'(session) {
    expectText(valueAt(requireSuccess(await clientIdentity(session)), 'data', 'name'), 'name');
  },
  async 'client-identity.description'(session) {
    const answer = requireSuccess(await identityOf(session, 'described'));
    expectText(valueAt(answer, 'data', 'description'), 'description');
  },
  async 'client-identity.logo-url'(session) {
    const answer = requireSuccess(await identityOf(session, 'described'));
    expectUrl(valueAt(answer, 'data', 'logoUrl'), 'logoUrl');
  },
  async 'client-identity.unset-keys-omitted'(session) {
    const answer = requireSuccess(await identityOf(session, 'plain'));
    const nulls = KEYS.filter((key) => valueAt(answer, 'data', key) === null);
    expectThat(nulls.length === 0, 'no key with the value null', nulls.join(', '));
  },
  async 'client-identity.widget-origin-allowed-presence'(session) {
    expectAbsent(requireSuccess(await clientIdentity(session)), 'data', 'widgetOriginAllowed');
    const asked = requireSuccess(await withOrigin(session, 'https://elsewhere.example'));
    expectThat(
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
      // Its absence is the matter of another rule.
      const found = valueAt(answer, 'data', 'widgetOriginAllowed');
      if (found !== undefined) expectEqual(found, expected, `widgetOriginAllowed for ${origin}`);
    }
  },
  async 'client-identity.envelope'(session) {
    const answer = requireSuccess(await clientIdentity(session));
    expectThat(
      hasKey(answer, 'data') && hasKey(answer, 'success'),
      'the envelope',
      answer.json ?? answer.text,
    );
  },
  async 'client-identity.success-envelope'(session) {
    const answer = requireSuccess(await clientIdentity(session));
    const data = valueAt(answer, 'data');
    expectThat(typeof data === 'object' && data !== null, '`data` in a success', data);
    expectAbsent(answer, 'errorCode');
  },
  async 'client-identity.unknown-client'(session) {
    const answer = await unknownClient(session);
    const found = [answer.status, valueAt(answer, 'success'), valueAt(answer, 'errorCode')].join(' ');
    expectThat(found === '404 false not_found', '404, `success` false and errorCode not_found', found);
    expectText(valueAt(answer, 'message'), 'message');
    expectAbsent(answer, 'data');
    // A reading run sends as few requests as it can.
    if (session.isDestructive) await expectUnknownClientsNotFound(session);
  },
});
