import type { FakeRequest } from '../messages/fake-request.js';
import type { FakeDrop } from '../state/world.js';
import { isSameId } from '../state/world.js';
import { rejectRole } from './api-key-access.js';
import {
  fieldsOf,
  isEmail,
  isText,
  isUuid,
  normalizedEmail,
  optional,
  rejectFields,
} from './api-key-fields.js';
import type { EndpointContext } from './endpoint-context.js';
import { respondFailure, respondSuccess } from './respond.js';

/** `POST /api/drop-notification/signup` */
export function dropSignup(request: FakeRequest, context: EndpointContext): Response {
  const rejected = rejectFields(request, context, {
    communityId: isUuid,
    email: isEmail,
    phoneNumber: optional(isText),
  });
  if (rejected !== undefined) return rejected;
  const { reading, world } = context;
  const fields = fieldsOf(request);
  const communityId = String(fields.communityId);
  const forbidden = rejectRole(request, context, communityId);
  if (forbidden !== undefined) return forbidden;
  const drop = world.drops.find((each) => isSameId(each.communityId, communityId));
  if (drop === undefined) {
    const message = reading.messages.noDrop;
    return respondFailure(context, { status: 404, errorCode: 'not_found', message });
  }
  const email = normalizedEmail(fields.email) ?? '';
  const hasExistingAccount = world.findUser({ email }) !== undefined;
  if (!hasExistingAccount && drop.emails.has(email)) {
    const message = reading.messages.signedUpBefore;
    return respondFailure(context, { status: 409, errorCode: 'already_exists', message });
  }
  if (!hasExistingAccount) drop.emails.add(email);
  const dropSlotInfo = infoOf(drop, context.clock.now());
  const data = { signedUp: !hasExistingAccount, hasExistingAccount, dropSlotInfo };
  return respondSuccess(context, { status: 201, data });
}

function infoOf({ id, slots, emails }: FakeDrop, now: number) {
  return {
    id,
    slots,
    slotsUsed: emails.size,
    availableSlots: slots === null ? null : slots - emails.size,
    startsAt: new Date(now + 3_600_000).toISOString(),
    endsAt: null,
    isCurrentlyActive: false,
    dropNotification: null,
  };
}
