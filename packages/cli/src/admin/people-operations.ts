import {
  accentField,
  COMMUNITY_ROLES,
  emailField,
  logoUrlField,
  messengerBotNameField,
  messengerUserIdField,
  nameField,
} from '@latchkey/server/schemas';
import * as z from 'zod';
import { settingsRule } from '../command-line/values.js';
import { writeNewFile } from '../command-line/write-new-file.js';
import { adminOperation, communityId, name, newId, ownerId, userId } from './admin-operation.js';

const address = emailField.meta({ placeholder: 'address' });
const email = address.meta({ description: 'E-mail address.' });
const logoUrl = logoUrlField
  .exactOptional()
  .meta({ placeholder: 'url', description: 'Logo: an https address, or a small image as data URL.' });
const accent = accentField
  .exactOptional()
  .meta({ placeholder: 'colour', description: 'Colour of its pages and mails, such as #b4541a.' });

/** User by id or by address. */
const oneUser = z
  .object({
    id: userId.exactOptional(),
    email: address.exactOptional().meta({ description: 'E-mail address, instead of the id.' }),
  })
  .check(
    settingsRule<{ id?: string; email?: string }>({
      reads: ['id', 'email'],
      isMet: (user) => (user.id === undefined) !== (user.email === undefined),
      error: 'Pass either --id or --email.',
    }),
  );

function referenceTo(user: z.output<typeof oneUser>) {
  return user.id === undefined ? { email: user.email ?? '' } : { id: user.id };
}

/** Operations on users and communities. */
export const PEOPLE_OPERATIONS = [
  adminOperation({
    name: 'create-user',
    summary: 'Creates a user, who signs in with codes sent by e-mail.',
    values: z.object({
      email: address.meta({ description: 'E-mail address that receives the sign-in codes.' }),
      name: nameField.exactOptional().meta({ placeholder: 'name', description: 'Display name.' }),
      messengerUserId: messengerUserIdField.exactOptional().meta({
        placeholder: 'number',
        description: 'User id at the messenger.',
      }),
      id: newId,
    }),
    example: '--email owner@shop.example --name "Olive Owner"',
    run: (operator, user) => operator.createUser(user),
    done: (user) => `Created the user ${user.email}.`,
  }),
  adminOperation({
    name: 'find-user',
    summary: 'Finds the id of a user by e-mail address.',
    values: z.object({ email }),
    example: '--email owner@shop.example',
    async run(operator, user) {
      const found = await operator.findUser(user.email);
      return { id: found.id, name: found.name };
    },
    done: (user) => `Found the user ${user.email}.`,
  }),
  adminOperation({
    name: 'end-sessions',
    summary: 'Ends all sessions of a user at the service.',
    values: z.object({
      email,
      apps: z
        .boolean()
        .default(false)
        .meta({ description: 'Also revoke the codes and tokens of all apps of the user.' }),
    }),
    example: '--email owner@shop.example --apps',
    run: (operator, user) => operator.endSessions(user),
    done: (user) => `Ended the sessions of ${user.email}.`,
  }),
  adminOperation({
    name: 'turn-off-two-step',
    summary: 'Turns two-step sign-in off for a user who has lost the app. The user receives a mail.',
    values: z.object({ email }),
    example: '--email owner@shop.example',
    run: (operator, user) => operator.turnOffTwoStep(user),
    done: (user) => `Turned two-step sign-in off for ${user.email}.`,
  }),
  adminOperation({
    name: 'export-user',
    summary: 'Prints everything that the service stores about a user, as JSON.',
    values: oneUser.safeExtend({
      out: z.string().min(1).exactOptional().meta({
        placeholder: 'file',
        defaultText: 'standard output',
        description: 'New file to write, which only your user can read.',
      }),
    }),
    example: '--email member@shop.example --out member.json',
    isDocument: ({ out }) => out === undefined,
    async run(operator, { out, ...user }) {
      const exported = await operator.exportUser(referenceTo(user));
      if (out === undefined) return exported;
      writeNewFile(out, `${JSON.stringify(exported, null, 2)}\n`);
      return { out };
    },
    done: (user) => `Exported the user ${user.id ?? user.email}.`,
  }),
  adminOperation({
    name: 'delete-user',
    summary: 'Deletes the account of a user for good. Payments stay, without personal data.',
    values: oneUser,
    example: '--id 5eed0000-0000-4000-8000-00000000000b',
    run: (operator, user) => operator.deleteUser(referenceTo(user)),
    done: (user) => `Deleted the account of ${user.id ?? user.email}.`,
  }),
  adminOperation({
    name: 'create-community',
    summary: 'Creates a community; its owner gets the role OWNER.',
    values: z.object({ name, ownerId, id: newId, logoUrl, accent }),
    example: '--name Club --owner-id 5eed0000-0000-4000-8000-00000000000d',
    run: (operator, community) => operator.createCommunity(community),
    done: (community) => `Created the community ${community.name}.`,
  }),
  adminOperation({
    name: 'set-community-brand',
    summary: 'Sets or removes the logo and the accent colour of a community.',
    values: z
      .object({
        communityId,
        logoUrl,
        accent,
        removeLogo: z.boolean().default(false).meta({ description: 'Remove the logo.' }),
        removeAccent: z
          .boolean()
          .default(false)
          .meta({ description: 'Use the colour of the service again.' }),
      })
      .check(
        settingsRule<{ logoUrl?: string; accent?: string; removeLogo: boolean; removeAccent: boolean }>({
          reads: ['logoUrl', 'accent', 'removeLogo', 'removeAccent'],
          isMet: (brand) => {
            const [setsLogo, setsAccent] = [brand.logoUrl !== undefined, brand.accent !== undefined];
            const removes = [brand.removeLogo === true, brand.removeAccent === true];
            const isContradiction = (setsLogo && removes[0]) || (setsAccent && removes[1]);
            return !isContradiction && (setsLogo || setsAccent || removes.includes(true));
          },
          error: 'Pass --logo-url or --remove-logo, --accent or --remove-accent, or one of each.',
        }),
      ),
    example: '--community-id 5eed0000-0000-4000-8000-000000000001 --accent #b4541a',
    run: (operator, { communityId: id, removeLogo, removeAccent, ...brand }) =>
      operator.setCommunityBrand(id, {
        ...brand,
        ...(removeLogo && { logoUrl: null }),
        ...(removeAccent && { accent: null }),
      }),
    done: (brand) => `Changed the brand of the community ${brand.communityId}.`,
  }),
  adminOperation({
    name: 'assign-role',
    summary: 'Assigns a role in a community to a user, or changes it.',
    values: z.object({
      communityId,
      userId,
      role: z.enum(COMMUNITY_ROLES).meta({ placeholder: 'role', description: 'OWNER or ADMIN.' }),
      inactive: z
        .boolean()
        .default(false)
        .meta({ description: 'Keep the role on record without its permissions.' }),
    }),
    example:
      '--community-id 5eed0000-0000-4000-8000-000000000001 --user-id 5eed0000-0000-4000-8000-00000000000a --role ADMIN',
    run: (operator, { inactive, ...assignment }) =>
      operator.assignRole({ ...assignment, isActive: !inactive }),
    done: ({ role, inactive, userId: id }) =>
      `Assigned the role ${role}${inactive ? ' (inactive)' : ''} to the user ${id}.`,
  }),
  adminOperation({
    name: 'set-messenger-bot',
    summary: 'Sets or removes the messenger bot that creates a community’s invite links.',
    values: z
      .object({
        communityId,
        name: messengerBotNameField
          .exactOptional()
          .meta({ placeholder: 'name', description: 'Name of the bot.' }),
        remove: z.boolean().default(false).meta({ description: 'Remove the bot.' }),
      })
      .check(
        settingsRule<{ name?: string; remove: boolean }>({
          reads: ['name', 'remove'],
          isMet: (bot) => (bot.name !== undefined) !== bot.remove,
          error: 'Pass either --name or --remove.',
        }),
      ),
    example: '--community-id 5eed0000-0000-4000-8000-000000000001 --name club_bot',
    run: (operator, bot) => operator.setMessengerBot(bot.communityId, bot.name ?? null),
    done: (bot) =>
      bot.name === undefined ? 'Removed the community’s bot.' : `Set the community’s bot to ${bot.name}.`,
  }),
];
