import { randomBytes } from 'node:crypto';
import { PERMISSIONS } from '@latchkey/contract/constants';
import * as z from 'zod';
import { phrase, t } from '../../platform/language/language.js';
import { hashSecret, type NewSecret } from '../../platform/secrets.js';
import { defineRecords } from '../fields/define-records.js';
import { idOf, nameField } from '../fields/fields.js';

/** The service never changes a key. */
export const keyRecords = defineRecords({
  one: 'API key',
  table: 'api_keys',
  columns: ['id', 'owner_id', 'name', 'key_ending', 'permissions', 'created_at', 'revoked_at'],
  searched: ['id', 'name', 'key_ending', 'permissions'],
  owners: ['ownerId'],
  fields: {
    ownerId: idOf('Owner'),
    name: {
      schema: nameField,
      hint: phrase('Helps you recognise the key, for example the name of the program that uses it.'),
    },
    /** Without duplicates, in the contract's order. */
    permissions: {
      schema: z
        .array(
          z.enum(PERMISSIONS, {
            error: () => t('Choose from {permissions}.', { permissions: PERMISSIONS.join(', ') }),
          }),
        )
        .min(1, {
          error: () => t('Choose at least one permission. A key without permissions can call no endpoint.'),
        })
        .readonly()
        .transform((chosen) => PERMISSIONS.filter((permission) => chosen.includes(permission))),
      hint: phrase("You can't change them later. Choose only what the program needs."),
      about: 'MEMBERSHIP_PROVISION needs an owner who may provision.',
      /** What each permission allows (spec, "API-key endpoints"). */
      choiceHints: {
        MEMBERSHIP_READ: phrase('Check if a messenger account has an active membership in your communities.'),
        MEMBERSHIP_WRITE: phrase('Create invite links for buyers of a checkout.'),
        CHECKOUT_WRITE: phrase('Open hosted checkouts for the plans of your communities.'),
        DROP_NOTIFICATION_WRITE: phrase('Sign people up for the next drop of your communities.'),
        MEMBERSHIP_PROVISION: phrase(
          'Grant memberships for orders that were paid elsewhere. Requires MEMBERSHIP_WRITE too. Approved partners only.',
        ),
      },
    },
  },
  create: 'Creates an API key. The answer has its text, this once.',
  end: { summary: 'Revokes an API key at once.', button: 'Revoke API key', isFinal: true },
});

export function apiKeyTextFieldOf(prefix: string): z.ZodString {
  return z
    .string()
    .refine((text) => isApiKey(text, prefix), `Enter ${prefix} and 43 characters of base64url.`);
}

/** Creates an API key (spec, "API keys", 1): `chosen`, or the prefix and 256 random bits as base64url. */
export function generateApiKey(
  prefix: string,
  chosen = `${prefix}${randomBytes(32).toString('base64url')}`,
): NewSecret {
  return { text: chosen, hash: hashSecret(chosen) };
}

/** True if the string looks like one of the service's API keys: its prefix and 43 characters of base64url. */
export function isApiKey(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(prefix.length));
}
