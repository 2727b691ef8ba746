import { accentField, COMMUNITY_ROLES, logoUrlField, messengerBotNameField } from '@latchkey/server/schemas';
import * as z from 'zod';
import { settingsRule } from '../../command-line/settings-rule.js';
import { adminOperation } from './admin-operation.js';
import { communityId, newId, ownerId, userId } from './ids.js';
import { name } from './names.js';

const logoUrl = logoUrlField
  .exactOptional()
  .meta({ placeholder: 'url', description: 'Logo: an https address, or a small image as data URL.' });
const accent = accentField
  .exactOptional()
  .meta({ placeholder: 'colour', description: 'Colour of its pages and mails, such as #b4541a.' });

export const createCommunity = adminOperation({
  name: 'create-community',
  summary: 'Creates a community; its owner gets the role OWNER.',
  values: z.object({ name, ownerId, id: newId, logoUrl, accent }),
  example: '--name Club --owner-id 5eed0000-0000-4000-8000-00000000000d',
  run: async (operator, community) => ({
    message: `Created the community ${community.name}.`,
    facts: await operator.createCommunity(community),
  }),
});

const communityBrand = z
  .object({
    communityId,
    logoUrl,
    accent,
    removeLogo: z.boolean().default(false).meta({ description: 'Remove the logo.' }),
    removeAccent: z.boolean().default(false).meta({ description: 'Use the colour of the service again.' }),
  })
  .check(
    settingsRule<{ logoUrl?: string; accent?: string; removeLogo: boolean; removeAccent: boolean }>({
      reads: ['logoUrl', 'accent', 'removeLogo', 'removeAccent'],
      isMet: ({ logoUrl: logo, accent: colour, removeLogo, removeAccent }) => {
        const [setsLogo, setsAccent] = [logo !== undefined, colour !== undefined];
        const isContradiction = (setsLogo && removeLogo === true) || (setsAccent && removeAccent === true);
        return !isContradiction && (setsLogo || setsAccent || removeLogo === true || removeAccent === true);
      },
      error: 'Pass --logo-url or --remove-logo, --accent or --remove-accent, or one of each.',
    }),
  );

export const setCommunityBrand = adminOperation({
  name: 'set-community-brand',
  summary: 'Sets or removes the logo and the accent colour of a community.',
  values: communityBrand,
  example: '--community-id 5eed0000-0000-4000-8000-000000000001 --accent #b4541a',
  run: async (operator, { communityId: id, logoUrl: logo, accent: colour, removeLogo, removeAccent }) => {
    await operator.setCommunityBrand(id, {
      ...(logo !== undefined && { logoUrl: logo }),
      ...(colour !== undefined && { accent: colour }),
      ...(removeLogo && { logoUrl: null }),
      ...(removeAccent && { accent: null }),
    });
    return { message: `Changed the brand of the community ${id}.` };
  },
});

export const assignRole = adminOperation({
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
  run: async (operator, { inactive, ...assignment }) => {
    await operator.assignRole({ ...assignment, isActive: !inactive });
    const state = inactive ? ' (inactive)' : '';
    return { message: `Assigned the role ${assignment.role}${state} to the user ${assignment.userId}.` };
  },
});

const messengerBot = z
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
      isMet: ({ name: bot, remove }) => (bot !== undefined) !== remove,
      error: 'Pass either --name or --remove.',
    }),
  );

export const setMessengerBot = adminOperation({
  name: 'set-messenger-bot',
  summary: 'Sets or removes the messenger bot that creates a community’s invite links.',
  values: messengerBot,
  example: '--community-id 5eed0000-0000-4000-8000-000000000001 --name club_bot',
  run: async (operator, { communityId: id, name: bot = null }) => {
    await operator.setMessengerBot(id, bot);
    return { message: bot === null ? 'Removed the community’s bot.' : `Set the community’s bot to ${bot}.` };
  },
});
