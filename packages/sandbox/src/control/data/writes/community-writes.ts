import {
  changeRole,
  communitySchema,
  messengerBotNameField,
  type RoleChange,
  renameCommunity,
} from '@latchkey/server/extension';
import * as z from 'zod';
import { parseInput } from '../../access/parse-input.js';
import { actingOwner, refused, requireRow } from './current-record.js';
import { accentText, defined, idText, nameText, newId } from './fields.js';
import { creation, edit, type RecordWrites, type WriteContext } from './record-writes.js';

const botChange = z.object({ messengerBot: messengerBotNameField.nullable() });

/** Writes of communities. The service never deletes one. */
export const communityWrites: RecordWrites = {
  kind: 'communities',
  create: creation({
    summary: 'Creates a community with an owner.',
    body: z.strictObject({
      id: newId,
      name: nameText,
      ownerId: idText.describe('User who becomes its OWNER.'),
      logoUrl: z.string('Enter an address.').optional(),
      accent: accentText.optional(),
    }),
    run: (community, { operator }) => operator.createCommunity(defined(community)),
  }),
  edit: edit({
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
  }),
};

const role = z.enum(['OWNER', 'ADMIN'], 'Choose OWNER or ADMIN.');
const isActive = z.boolean('Enter true or false.').optional().describe('An inactive role gives no access.');

/** Writes of roles. The id of a role is the id of its community, `~` and the id of its user. */
export const roleWrites: RecordWrites = {
  kind: 'roles',
  create: creation({
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
        throw refused(message, { userId: message });
      }
      await operator.assignRole(defined(assignment));
      return { id: `${communityId}~${userId}` };
    },
  }),
  edit: edit({
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
  }),
  end: {
    summary: 'Removes a role. One active owner must remain.',
    async run(id, context) {
      await change(id, { kind: 'remove', userId: await holderOf(id, context) }, context);
    },
  },
};

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
