import * as z from 'zod';
import { phrase } from '../../platform/language/language.js';
import { BRAND } from '../brand/brand.js';
import { defineRecords } from '../fields/define-records.js';
import { idOf, NAME, NEW_ID, nameField } from '../fields/fields.js';

export const COMMUNITY_ROLES = ['OWNER', 'ADMIN'] as const;

export type CommunityRole = (typeof COMMUNITY_ROLES)[number];

/** Matches a web address: a scheme, a www host, or a domain with a path. `Node.js Club` doesn't match. */
const WEB_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}\//iu;

/** Settings of a community. Its name also appears on pages of people who didn't choose it, such as invitations. */
export const communitySchema = z.object({
  name: nameField.refine((name) => !WEB_ADDRESS.test(name), phrase('Enter a name without a web address.')),
});

const BOT_NAME = /^@?([A-Za-z0-9_]{3,64})$/;

/** Name of a messenger bot. A leading `@` is accepted and removed. */
export const messengerBotNameField = z
  .string()
  .trim()
  .regex(BOT_NAME, phrase('Enter 3 to 64 letters, digits and underscores.'))
  .transform((text) => text.replace(/^@/, ''));

export const communityRecords = defineRecords({
  one: 'community',
  table: 'communities',
  columns: ['id', 'name', 'logo_url', 'accent', 'created_at', 'closed_at'],
  searched: ['id', 'name'],
  fields: {
    id: NEW_ID,
    name: {
      ...NAME,
      schema: communitySchema.shape.name,
      hintWhenNew: phrase('Members see it. You can change it later. You become the owner.'),
    },
    ownerId: { ...idOf('Owner'), about: 'User who becomes its OWNER.' },
    ...BRAND,
    messengerBot: {
      schema: messengerBotNameField,
      about: 'Bot that creates its invite links.',
      isOptional: true,
      isLater: true,
    },
  },
  create: 'Creates a community with an owner, who asked for it. The owner can close it.',
  change: 'Changes the name, the brand and the messenger bot of a community.',
  end: {
    summary:
      'Closes a community for good: memberships and subscriptions end, and it sells and accepts nothing.',
    button: 'Close community',
    isFinal: true,
  },
});

export const ROLE = {
  schema: z.enum(COMMUNITY_ROLES, phrase('Choose OWNER or ADMIN.')),
  choices: { ADMIN: phrase('Admin'), OWNER: phrase('Owner') },
  choiceHints: {
    ADMIN: phrase('Can do everything except change roles.'),
    OWNER: phrase('Can do everything, and also change roles and remove you.'),
  },
} as const;

/** Users' roles in communities. A role's id is the community's id, `~`, and the user's id. */
export const roleRecords = defineRecords({
  one: 'role',
  table: 'community_roles',
  columns: ['community_id', 'user_id', 'role', 'is_active'],
  order: ['community_id', 'user_id'],
  id: ['community_id', 'user_id'],
  searched: ['community_id', 'user_id', 'role'],
  owners: ['userId', 'communityId'],
  fields: {
    communityId: idOf('Community'),
    userId: idOf('User'),
    role: ROLE,
    isActive: {
      schema: z.boolean(phrase('Enter true or false.')),
      initial: true,
      label: 'Active',
      about: 'An inactive one has no effect.',
    },
  },
  create:
    'Gives a user a role in a community. An ADMIN has it at once. OWNER counts once the user accepts it; until then the user is ADMIN.',
  change:
    'Changes a role. One active owner must remain. Nobody becomes an active OWNER without accepting it: the user is invited.',
  end: { summary: 'Removes a role. One active owner must remain.', button: 'Remove role' },
});
