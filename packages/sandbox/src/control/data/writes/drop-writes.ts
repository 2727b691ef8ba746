import { changeDrop, dropSchema, emailField, endDrop, signUpForDrop } from '@latchkey/server/extension';
import * as z from 'zod';
import { parseInput } from '../../access/parse-input.js';
import { actingOwner, refused, requireRow } from './current-record.js';
import { defined, idText, instant, nameText, newId } from './fields.js';
import { creation, edit, type RecordWrites } from './record-writes.js';

const slots = z.int('Enter a whole number.').nullable().optional().describe('Null is unlimited.');

export const dropWrites: RecordWrites = {
  kind: 'drops',
  create: creation({
    summary: 'Creates a drop of a community.',
    body: z.strictObject({
      id: newId,
      communityId: idText,
      name: nameText,
      slots,
      startsAt: instant,
      endsAt: instant.nullable().optional().describe('Null: the drop never ends.'),
    }),
    run: (drop, { operator }) => operator.createDropSlot(defined(drop)),
  }),
  edit: edit({
    summary: 'Changes a drop. It cannot have fewer slots than are taken.',
    body: z.strictObject({
      name: nameText.optional(),
      slots,
      startsAt: instant.optional(),
      endsAt: instant.nullable().optional(),
    }),
    async run(id, changes, { db }) {
      const row = await requireRow(db, 'drops', id);
      const { name, slots, starts_at: startsAt, ends_at: endsAt } = row;
      const drop = parseInput(dropSchema, {
        ...{ name, slots, startsAt, endsAt },
        ...defined(changes),
      });
      const actor = await actingOwner(db, String(row.community_id));
      const result = await changeDrop(db, actor, { dropId: id, drop });
      if (result.kind === 'too-few-slots') {
        const message = `${result.slotsUsed} slots are taken. Enter at least this number.`;
        throw refused(message, { slots: message });
      }
      return {};
    },
  }),
  end: {
    summary: 'Ends a drop now. One that has not started is cancelled.',
    async run(id, { db, clock }) {
      const row = await requireRow(db, 'drops', id);
      const actor = await actingOwner(db, String(row.community_id));
      await endDrop(db, actor, { dropId: id, now: clock.now() });
    },
  },
};

const SIGNUP_FAILURES = {
  'no-drop': ['communityId', 'The community has no drop that is running or upcoming.'],
  'has-account': ['email', 'The service signs up nobody who has an account. Enter another address.'],
  duplicate: ['email', 'This address is already signed up.'],
  full: ['communityId', 'All slots of the next drop are taken.'],
} as const;

/** Writes of signups. The service neither changes nor deletes one. */
export const signupWrites: RecordWrites = {
  kind: 'signups',
  create: creation({
    summary: 'Signs an address up for the next drop of a community, as the endpoint of the API does.',
    body: z.strictObject({
      communityId: idText,
      email: z.string('Enter an e-mail address such as name@example.com.'),
      phoneNumber: z
        .string()
        .regex(/^\+[1-9]\d{6,14}$/, 'Enter a number such as +4915112345678.')
        .optional()
        .describe('E.164'),
    }),
    async run({ communityId, email: text, phoneNumber }, { db, clock }) {
      await requireRow(db, 'communities', communityId);
      const { email } = parseInput(z.object({ email: emailField }), { email: text });
      const result = await signUpForDrop(db, { communityId, email, phoneNumber }, clock.now());
      if (result.kind !== 'signed-up') {
        const [field, message] = SIGNUP_FAILURES[result.kind];
        throw refused(message, { [field]: message });
      }
      const { id } = await db
        .selectFrom('drop_signups')
        .select('id')
        .where('drop_slot_id', '=', result.slot.id)
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return { id };
    },
  }),
};
