import {
  endAllSessions,
  grantProvisioning,
  nameField,
  renameUser,
  withdrawProvisioning,
} from '@latchkey/server/extension';
import * as z from 'zod';
import { parseInput } from '../../access/parse-input.js';
import type { RecordKind } from '../records/record-kinds.js';
import { planWrites, productWrites } from './catalogue-writes.js';
import { communityWrites, roleWrites } from './community-writes.js';
import { requireRow } from './current-record.js';
import { clientWrites, keyWrites, webhookWrites } from './developer-writes.js';
import { dropWrites, signupWrites } from './drop-writes.js';
import { defined, nameText, newId } from './fields.js';
import { membershipWrites, reservationWrites } from './membership-writes.js';
import { creation, edit, type RecordWrites } from './record-writes.js';

const userWrites: RecordWrites = {
  kind: 'users',
  create: creation({
    summary: 'Creates a user.',
    body: z.strictObject({
      id: newId,
      email: z.string('Enter an e-mail address such as name@example.com.').describe('Email address'),
      name: nameText.optional(),
      messengerUserId: z.int('Enter a whole number.').optional().describe('User id at the messenger.'),
    }),
    run: (user, { operator }) => operator.createUser(defined(user)),
  }),
  edit: edit({
    summary: 'Changes the name of a user, and if the user may create keys that provision.',
    body: z.strictObject({
      name: nameText.nullable().optional().describe('Null removes the name.'),
      mayProvision: z
        .boolean('Enter true or false.')
        .optional()
        .describe('Allows keys with MEMBERSHIP_PROVISION, which the service grants to vetted partners.'),
    }),
    async run(id, { name, mayProvision }, { db, clock }) {
      await requireRow(db, 'users', id);
      if (name !== undefined) {
        const { name: checked } = parseInput(z.object({ name: nameField.nullable() }), { name });
        await renameUser(db, id, checked);
      }
      if (mayProvision === true) await grantProvisioning(db, id, clock.now());
      if (mayProvision === false) await withdrawProvisioning(db, id);
      return {};
    },
  }),
  end: {
    summary: 'Signs a user out everywhere: ends all sessions and all tokens of apps. The account stays.',
    async run(userId, { db, clock }) {
      await requireRow(db, 'users', userId);
      await endAllSessions(db, { userId, except: undefined, apps: true }, clock.now());
    },
  },
};

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
