import type { EndpointName } from '@latchkey/contract/constants';
import fc from 'fast-check';
import { buyPlan, type Fields, mainCommunity, provision, signUp } from '../calls/api-key-calls.js';
import {
  authorizeBare,
  clientOf,
  type Parameters,
  postTokenForm,
  postTokenJson,
  revoke,
} from '../calls/oauth-calls.js';
import { inDays } from '../calls/shared-observations.js';
import { type Answer, hasKey, shownFields, Violation, valueAt } from '../session/answer.js';
import * as expect from '../session/expect.js';
import type { Session } from '../session/session.js';
import {
  hasInvalidTexts,
  InDays,
  invalidInJson,
  invalidInQuery,
  type RequestField,
  requestFields,
  validFields,
} from './generated-values.js';

/** Stops at the first failure: its request is then the check's last one, and the report ends with its curl command. */
async function expectAlways<Input>(
  session: Session,
  input: fc.Arbitrary<Input>,
  holds: (input: Input) => Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(input, holds);
  const { seed, generatedRuns: numRuns } = session.options;
  const result = await fc.check(property, { seed, numRuns, endOnFailure: true });
  if (!result.failed) return;
  const { errorInstance } = result;
  if (!(errorInstance instanceof Violation)) throw errorInstance;
  throw new Violation(`${errorInstance.message} (generated, --seed ${seed})`);
}

/** An endpoint with a JSON body: how to send it, and the fields that must contain ids of the service's records. */
interface JsonEndpoint {
  readonly name: EndpointName;
  send(session: Session, body: Fields): Promise<Answer>;
  fixed(session: Session): Fields;
}

const ids = (session: Session) => {
  const { id, planId } = mainCommunity(session);
  return { communityId: id, pricingPlanId: planId };
};

const JSON_ENDPOINTS: readonly JsonEndpoint[] = [
  { name: 'provisionExternal', send: provision, fixed: ids },
  { name: 'buyPlan', send: buyPlan, fixed: ids },
  { name: 'dropSignup', send: signUp, fixed: (session) => ({ communityId: ids(session).communityId }) },
];

/** Each generated body with one invalid field must get a 400. */
export async function expectInvalidBodiesRejected(session: Session): Promise<void> {
  for (const { name, send } of JSON_ENDPOINTS) {
    // A missing email of buy-plan is reported inside a 201.
    const fields = requestFields(name, 'body').map((field) => renamed(session, field));
    const input = fc.oneof(...fields.map(invalidInJson));
    await expectAlways(session, input, async ({ name: field, value }) => {
      const answer = await send(session, { [field]: value });
      expect.that(
        answer.status === 400,
        `400 of ${name} with ${shownFields({ [field]: value })}`,
        answer.status,
      );
    });
  }
}

/** Each generated valid body must be processed: no 400, no 5xx, and an envelope. */
export async function expectValidBodiesProcessed(session: Session): Promise<void> {
  for (const { name, send, fixed } of JSON_ENDPOINTS) {
    const fields = requestFields(name, 'body').map((field) => renamed(session, field));
    // Generated email addresses could be real, so the session provides addresses at a reserved domain.
    const free = fields.filter(({ name: field }) => field !== 'email' && field !== session.messengerField);
    await expectAlways(session, validFields(free, fixed(session)), async (generated) => {
      const answer = await send(session, await withInstants(session, generated));
      const isEnvelope = hasKey(answer, 'success') && !hasKey(answer, 'statusCode');
      const isProcessed = answer.status < 500 && answer.status !== 400 && isEnvelope;
      expect.that(isProcessed, `${name} to process a valid request`, startOf(answer));
    });
  }
}

function startOf({ status, text }: Answer): string {
  return `${status} ${text.slice(0, 200)}`;
}

/** Returns the body with times by the service's clock, which may differ. */
async function withInstants(session: Session, body: Fields): Promise<Fields> {
  const { validUntil } = body;
  if (!(validUntil instanceof InDays)) return body;
  const instant = await inDays(session, validUntil.days);
  return { ...body, validUntil: validUntil.hasMilliseconds ? instant : `${instant.slice(0, 19)}Z` };
}

function renamed({ messengerField }: Session, field: RequestField): RequestField {
  return field.name === 'messengerUserId' ? { ...field, name: messengerField } : field;
}

/** Each generated authorization request with one invalid parameter must get a 400 without a redirect. */
export async function expectInvalidAuthorizationsRejected(session: Session): Promise<void> {
  const fields = requestFields('authorize', 'query').filter(hasInvalidTexts);
  const input = fc.oneof(...fields.map(invalidInQuery));
  await expectAlways(session, input, async ({ name, value }) => {
    const changes: Parameters = { [name]: value === undefined ? undefined : String(value) };
    const answer = await authorizeBare(session, 'public', changes);
    const isRejected = answer.status === 400 && answer.headers.location === undefined;
    expect.that(isRejected, `400 of authorize with ${name} ${String(value)}`, answer.status);
  });
}

/** Each generated valid authorization request must lead to the sign-in or back to the client, without an error. */
export async function expectValidAuthorizationsAccepted(session: Session): Promise<void> {
  const { clientId, redirectUri } = clientOf(session, 'public');
  const fields = requestFields('authorize', 'query');
  const required = fields.map((field) =>
    field.name === 'code_challenge' ? { ...field, isRequired: true } : field,
  );
  const fixed = { client_id: clientId, redirect_uri: redirectUri };
  await expectAlways(session, validFields(required, fixed), async (query) => {
    const answer = await authorizeBare(session, 'public', { state: undefined, ...(query as Parameters) });
    const isAccepted = answer.status < 400 && !(answer.headers.location ?? '').includes('error=');
    expect.that(isAccepted, 'authorize to accept a valid request', startOf(answer));
  });
}

/** Fields of a token request, without the client's. */
const GRANTS: readonly Readonly<Record<string, string>>[] = [
  { grant_type: 'authorization_code', code: 'unknown-code' },
  { grant_type: 'refresh_token', refresh_token: 'unknown-token' },
];
/** Values that JSON allows in place of a string. */
const NO_TEXTS: readonly unknown[] = [7, true, null, [], {}, ['x'], { x: 'x' }];

/** One field is missing, empty or mistyped. The answer must be 400, or 401 `invalid_client` for the client's fields. */
export async function expectInvalidTokenRequestsRejected(session: Session): Promise<void> {
  const { clientId, clientSecret, redirectUri } = clientOf(session, 'confidential');
  const client = { client_id: clientId, client_secret: clientSecret };
  const input = fc
    .constantFrom(...GRANTS)
    .chain((grant) => {
      const fields = { ...client, ...grant, ...('code' in grant && { redirect_uri: redirectUri }) };
      return fc.record({
        fields: fc.constant<Record<string, unknown>>(fields),
        name: fc.constantFrom(...Object.keys(fields)),
        isForm: fc.boolean(),
        text: fc.constantFrom(undefined, ''),
        other: fc.constantFrom(...NO_TEXTS),
        isText: fc.boolean(),
      });
    })
    .map(({ fields, name, isForm, text, other, isText }) => {
      const value = isForm || isText ? text : other;
      return { fields: { ...fields, [name]: value }, name, value, isForm };
    });
  await expectAlways(session, input, async ({ fields, name, value, isForm }) => {
    const answer = isForm
      ? await postTokenForm(session, fields as Parameters)
      : await postTokenJson(session, fields);
    const isOfClient = name in client;
    const isInvalidClient = answer.status === 401 && valueAt(answer, 'error') === 'invalid_client';
    const expected = isOfClient ? '400, or 401 invalid_client' : '400';
    expect.that(
      answer.status === 400 || (isOfClient && isInvalidClient),
      `${expected} of token with ${shownFields({ [name]: value })}`,
      answer.status,
    );
  });
}

/** Revoking any generated string that isn't a token must succeed, with any of the specification's hints. */
export async function expectUnknownTokensRevoked(session: Session): Promise<void> {
  const input = fc.record({
    token: fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.stringMatching(/^[A-Za-z0-9_-]{20,200}$/),
      fc.constant('x'.repeat(1_000)),
    ),
    hint: fc.constantFrom(undefined, 'access_token', 'refresh_token'),
  });
  await expectAlways(session, input, async ({ token, hint }) => {
    // White space alone may count as missing.
    if (token.trim() === '') return;
    const answer = await revoke(session, token, { token_type_hint: hint });
    expect.accepted(answer, `success of revoke with the token ${JSON.stringify(token)}`);
  });
}

/** Each generated id that no client has must get a 404, whatever it contains. */
export async function expectUnknownClientsNotFound(session: Session): Promise<void> {
  const id = fc
    .oneof(
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }),
      fc.uuid(),
      fc.stringMatching(/^oac_[0-9a-f]{24}$/),
    )
    // A path can't contain these two: programs resolve them.
    .filter((text) => !['.', '..'].includes(text) && text.trim() !== '');
  await expectAlways(session, id, async (clientId) => {
    const path = session.paths.clientIdentity.replace('{clientId}', () => encodeURIComponent(clientId));
    const answer = await session.send({ path });
    expect.that(answer.status === 404, `404 of the client ${JSON.stringify(clientId)}`, answer.status);
  });
}
