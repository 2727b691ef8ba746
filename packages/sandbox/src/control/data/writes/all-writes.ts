import type { RecordKind } from '../records/record-kinds.js';
import { planWrites, productWrites } from './catalogue-writes.js';
import { communityWrites, roleWrites } from './community-writes.js';
import { clientWrites, keyWrites, webhookWrites } from './developer-writes.js';
import { dropWrites, signupWrites } from './drop-writes.js';
import { membershipWrites, reservationWrites } from './membership-writes.js';
import type { RecordWrites } from './record-writes.js';
import { userWrites } from './user-writes.js';

/** Writes by kind. */
export const RECORD_WRITES: Readonly<Record<RecordKind, RecordWrites>> = {
  clients: clientWrites,
  communities: communityWrites,
  drops: dropWrites,
  keys: keyWrites,
  memberships: membershipWrites,
  plans: planWrites,
  products: productWrites,
  reservations: reservationWrites,
  roles: roleWrites,
  signups: signupWrites,
  users: userWrites,
  webhooks: webhookWrites,
};
