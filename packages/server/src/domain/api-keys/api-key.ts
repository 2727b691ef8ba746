import { PERMISSIONS, type ServiceNames } from '@latchkey/contract/constants';
import * as z from 'zod';
import { isApiKey } from '../../platform/secrets.js';
import { nameField } from '../fields/fields.js';

/** Settings of a new API key. Permissions are returned without duplicates, in the contract's order. */
export const apiKeySchema = z.object({
  name: nameField,
  permissions: z
    .array(z.enum(PERMISSIONS, `Choose from ${PERMISSIONS.join(', ')}.`))
    .min(1, 'Choose at least one permission. A key without permissions can call no endpoint.')
    .readonly()
    .transform((chosen) => PERMISSIONS.filter((permission) => chosen.includes(permission))),
});

/** Returns the schema of the text of an API key (spec, "API keys", 1). */
export function apiKeyTextFieldOf({ apiKeyPrefix }: Pick<ServiceNames, 'apiKeyPrefix'>): z.ZodString {
  return z
    .string()
    .refine((text) => isApiKey(text, apiKeyPrefix), `Enter ${apiKeyPrefix} and 43 characters of base64url.`);
}
