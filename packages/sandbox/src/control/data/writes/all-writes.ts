import {
  changeDrop,
  changeRole,
  communitySchema,
  dropSchema,
  emailField,
  endAllSessions,
  endDrop,
  grantProvisioning,
  messengerBotNameField,
  nameField,
  type RoleChange,
  renameCommunity,
  renameUser,
  signUpForDrop,
  withdrawProvisioning,
} from '@latchkey/server/extension';
import * as z from 'zod';
import { parseInput } from '../../access/parse-input.js';
import type { RecordKind } from '../records/record-tables.js';
import { requireRow } from '../records/records.js';
import { planWrites, productWrites } from './catalogue-writes.js';
import { clientWrites, keyWrites, webhookWrites } from './developer-writes.js';
import { membershipWrites, reservationWrites } from './membership-writes.js';
import {
  accentText,
  actingOwner,
  defined,
  flag,
  idText,
  instant,
  nameText,
  newId,
  type RecordWrites,
  recordWrites,
  refused,
  type WriteContext,
} from './record-writes.js';

const botChange = z.object({ messengerBot: messengerBotNameField.nullable() });

/** Writes of communities. The service never deletes one. */
const communityWrites = recordWrites({
  create: {
    summary: 'Creates a community with an owner.',
    body: z.strictObject({
      id: newId,
      name: nameText,
      ownerId: idText.describe('User who becomes its OWNER.'),
      logoUrl: z.string('Enter an address.').optional(),
      accent: accentText.optional(),
    }),
    run: (community, { operator }) => operator.createCommunity(defined(community)),
  },
  edit: {
    summary: 'Changes the name, the brand and the messenger bot of a community.',
    body: z.strictObject({
      name: nameText.optional(),
      logoUrl: z.string('Enter an address.').nullable().optional().describe('Null removes the logo.'),
      accent: accentText.nullable().optional(),
      messengerBot: z.string('Enter a name.').nullable().optional().describe('Null removes the bot.'),
    }),
    async run(id, { name, messengerBot, ...brand }, { db, operator }) {
      await requireRow(db, 'communities', id);
      if (name !== undefined) {
        const community = parseInput(communitySchema, { name });
        await renameCommunity(db, await actingOwner(db, id), community.name);
      }
      if (Object.keys(brand).length > 0) await operator.setCommunityBrand(id, brand);
      if (messengerBot !== undefined) {
        const bot = parseInput(botChange, { messengerBot });
        await operator.setMessengerBot(id, bot.messengerBot);
      }
      return {};
    },
  },
});

const role = z.enum(['OWNER', 'ADMIN'], 'Choose OWNER or ADMIN.');
const isActive = flag.describe('An inactive role gives no access.');

/** Writes of roles. The id of a role is the id of its community, `~` and the id of its user. */
const roleWrites = recordWrites({
  create: {
    summary: 'Gives a user a role in a community, without an invitation.',
    body: z.strictObject({ communityId: idText, userId: idText, role, isActive }),
    async run(assignment, { db, operator }) {
      const { communityId, userId } = assignment;
      const current = await db
        .selectFrom('community_roles')
        .select('role')
        .where('community_id', '=', communityId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (current !== undefined) {
        const message = 'The user already has a role in the community. Change that role.';
        throw refused(message, 'userId');
      }
      await operator.assignRole(defined(assignment));
      return { id: `${communityId}~${userId}` };
    },
  },
  edit: {
    summary: 'Changes a role. One active owner must remain.',
    body: z.strictObject({ role: role.optional(), isActive }),
    async run(id, changes, context) {
      const userId = await holderOf(id, context);
      if (changes.role !== undefined)
        await change(id, { kind: 'set-role', userId, role: changes.role }, context);
      if (changes.isActive !== undefined)
        await change(id, { kind: 'set-active', userId, isActive: changes.isActive }, context);
      return {};
    },
  },
  end: {
    summary: 'Removes a role. One active owner must remain.',
    async run(id, context) {
      await change(id, { kind: 'remove', userId: await holderOf(id, context) }, context);
    },
  },
});

async function holderOf(id: string, { db }: WriteContext): Promise<string> {
  return String((await requireRow(db, 'roles', id)).user_id);
}

async function change(id: string, requested: RoleChange, { db }: WriteContext): Promise<void> {
  const actor = await actingOwner(db, id.split('~')[0] ?? '', requested.userId);
  const decision = await changeRole(db, actor, requested);
  if (decision?.kind === 'changed') return;
  throw refused(
    decision?.kind === 'last-owner'
      ? 'A community needs an active owner, and this is the only one. Make another user OWNER first.'
      : 'The role changed meanwhile. Load it again.',
  );
}

const slots = z.int('Enter a whole number.').nullable().optional().describe('Null is unlimited.');

const dropWrites = recordWrites({
  create: {
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
  },
  edit: {
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
      const drop = parseInput(dropSchema, { name, slots, startsAt, endsAt, ...defined(changes) });
      const actor = await actingOwner(db, String(row.community_id));
      const result = await changeDrop(db, actor, { dropId: id, drop });
      if (result.kind === 'too-few-slots') {
        const message = `${result.slotsUsed} slots are taken. Enter at least this number.`;
        throw refused(message, 'slots');
      }
      return {};
    },
  },
  end: {
    summary: 'Ends a drop now. One that has not started is cancelled.',
    async run(id, { db, clock }) {
      const row = await requireRow(db, 'drops', id);
      const actor = await actingOwner(db, String(row.community_id));
      await endDrop(db, actor, { dropId: id, now: clock.now() });
    },
  },
});

const SIGNUP_FAILURES = {
  'no-drop': ['communityId', 'The community has no drop that is running or upcoming.'],
  'has-account': ['email', 'The service signs up nobody who has an account. Enter another address.'],
  duplicate: ['email', 'This address is already signed up.'],
  full: ['communityId', 'All slots of the next drop are taken.'],
} as const;

/** Writes of signups. The service neither changes nor deletes one. */
const signupWrites = recordWrites({
  create: {
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
        throw refused(message, field);
      }
      const { id } = await db
        .selectFrom('drop_signups')
        .select('id')
        .where('drop_slot_id', '=', result.slot.id)
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return { id };
    },
  },
});

const userWrites = recordWrites({
  create: {
    summary: 'Creates a user.',
    body: z.strictObject({
      id: newId,
      email: z.string('Enter an e-mail address such as name@example.com.').describe('Email address'),
      name: nameText.optional(),
      messengerUserId: z.int('Enter a whole number.').optional().describe('User id at the messenger.'),
    }),
    run: (user, { operator }) => operator.createUser(defined(user)),
  },
  edit: {
    summary: 'Changes the name of a user, and if the user may create keys that provision.',
    body: z.strictObject({
      name: nameText.nullable().optional().describe('Null removes the name.'),
      mayProvision: flag.describe(
        'Allows keys with MEMBERSHIP_PROVISION, which the service grants to vetted partners.',
      ),
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
  },
  end: {
    summary: 'Signs a user out everywhere: ends all sessions and all tokens of apps. The account stays.',
    async run(userId, { db, clock }) {
      await requireRow(db, 'users', userId);
      await endAllSessions(db, { userId, except: undefined, apps: true }, clock.now());
    },
  },
});

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
