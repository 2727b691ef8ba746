import * as z from 'zod';
import { phrase } from '../../platform/language/language.js';
import { nameField } from '../fields/fields.js';

export const COMMUNITY_ROLES = ['OWNER', 'ADMIN'] as const;

export type CommunityRole = (typeof COMMUNITY_ROLES)[number];

/** Matches a web address: a scheme, a www host, or a domain with a path. `Node.js Club` is none. */
const WEB_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}\//iu;

/** Settings of a community. Its name appears on the pages of people who did not choose it, as in invitations. */
export const communitySchema = z.object({
  name: nameField.refine((name) => !WEB_ADDRESS.test(name), phrase('Enter a name without a web address.')),
});

const BOT_NAME = /^@?([A-Za-z0-9_]{3,64})$/;

/** Name of a messenger bot. A leading `@` is accepted and removed. */
export const messengerBotNameField = z
  .string()
  .trim()
  .regex(BOT_NAME, 'Enter 3 to 64 letters, digits and underscores.')
  .transform((text) => text.replace(/^@/, ''));
