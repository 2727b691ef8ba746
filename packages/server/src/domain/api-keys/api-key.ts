import { PERMISSIONS } from '@latchkey/contract/constants';
import * as z from 'zod';
import { nameField } from '../fields/name.js';

/** Settings of a new API key. Permissions are returned without duplicates, in the contract's order. */
export const apiKeySchema = z.object({
  name: nameField,
  permissions: z
    .array(z.enum(PERMISSIONS, `Choose from ${PERMISSIONS.join(', ')}.`))
    .min(1, 'Choose at least one permission. A key without permissions can call no endpoint.')
    .readonly()
    .transform((chosen) => PERMISSIONS.filter((permission) => chosen.includes(permission))),
});

/** Text of an API key (spec, "API keys", 1). */
export const apiKeyTextField = z
  .string()
  .regex(/^svc_[A-Za-z0-9_-]{43}$/, 'Enter svc_ and 43 characters of base64url.');
