import * as z from 'zod';
import { nameField } from '../fields/name.js';

/** Roles that administer a community. */
export const COMMUNITY_ROLES = ['OWNER', 'ADMIN'] as const;

/** Role that administers a community. */
export type CommunityRole = (typeof COMMUNITY_ROLES)[number];

/** Settings of a community. */
export const communitySchema = z.object({ name: nameField });

const BOT_NAME = /^@?([A-Za-z0-9_]{3,64})$/;

/** Name of a messenger bot. A leading `@` is accepted and removed. */
export const messengerBotNameField = z
  .string()
  .trim()
  .regex(BOT_NAME, 'Enter 3 to 64 letters, digits and underscores.')
  .transform((text) => text.replace(/^@/, ''));
