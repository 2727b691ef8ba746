import type { EndpointName } from '@latchkey/contract/constants';
import fc from 'fast-check';
import { buyPlan, mainCommunity, provision, signUp } from '../calls/api-key-calls.js';
import { inDays } from '../calls/shared-observations.js';
import { Violation } from '../outcome/outcome-errors.js';
import { type Answer, hasKey } from '../session/answer.js';
import type { Session } from '../session/session.js';
import { expectAlways } from './expect-always.js';
import { invalidInJson } from './invalid-values.js';
import { type RequestField, requestFields } from './request-fields.js';
import { InDays, validFields } from './valid-values.js';

type Fields = Readonly<Record<string, unknown>>;

/** Endpoint with a JSON body: how to send it, and the fields that must name records of the service. */
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

/** Each generated body with one invalid field must give 400. */
export async function expectInvalidBodiesRejected(session: Session): Promise<void> {
  for (const { name, send } of JSON_ENDPOINTS) {
    // A missing email of buy-plan is reported inside a 201.
    const fields = requestFields(name, 'body').map((field) => renamed(session, field));
    const input = fc.oneof(...fields.map(invalidInJson));
    await expectAlways(session, input, async ({ name: field, value }) => {
      const answer = await send(session, { [field]: value });
      if (answer.status === 400) return;
      const shown = value === undefined ? `no ${field}` : `${field} ${JSON.stringify(value)}`;
      throw new Violation(`expected 400 of ${name} with ${shown}, found ${answer.status}`);
    });
  }
}

/** Each generated valid body must be processed: no 400, no 5xx, and an envelope. */
export async function expectValidBodiesProcessed(session: Session): Promise<void> {
  for (const { name, send, fixed } of JSON_ENDPOINTS) {
    const fields = requestFields(name, 'body').map((field) => renamed(session, field));
    // Generated addresses could be real ones, so the session provides addresses of a reserved domain.
    const free = fields.filter(({ name: field }) => field !== 'email' && field !== session.messengerField);
    await expectAlways(session, validFields(free, fixed(session)), async (generated) => {
      const answer = await send(session, await withInstants(session, generated));
      const isEnvelope = hasKey(answer, 'success') && !hasKey(answer, 'statusCode');
      if (answer.status < 500 && answer.status !== 400 && isEnvelope) return;
      const found = `${answer.status} ${answer.text.slice(0, 200)}`;
      throw new Violation(`expected ${name} to process a valid request, found ${found}`);
    });
  }
}

/** The body with the instants of a service whose clock may differ. */
async function withInstants(session: Session, body: Fields): Promise<Fields> {
  const { validUntil } = body;
  if (!(validUntil instanceof InDays)) return body;
  const instant = await inDays(session, validUntil.days);
  return { ...body, validUntil: validUntil.hasMilliseconds ? instant : `${instant.slice(0, 19)}Z` };
}

/** The field under the names of the service. */
function renamed({ messengerField }: Session, field: RequestField): RequestField {
  return field.name === 'messengerUserId' ? { ...field, name: messengerField } : field;
}
