import { PERMISSIONS, type Permission } from '@latchkey/contract/constants';
import { NAME_MAX_LENGTH, nameField } from '../../../domain/fields/name.js';
import type { FormError } from '../../ui/error-summary.js';

/** Maximum number of active keys per user. */
export const API_KEYS_MAX = 50;

/** Raw values of the form of a new key. */
export interface ApiKeyFields {
  name: string;
  permissions: readonly string[];
}

/** Validated form of a new key, or its errors. */
type ReadApiKey =
  | { kind: 'valid'; name: string; permissions: Permission[] }
  | { kind: 'invalid'; errors: FormError[] };

export function apiKeyFieldsOf(form: URLSearchParams): ApiKeyFields {
  return { name: form.get('name') ?? '', permissions: form.getAll('permissions') };
}

/** Validates the form of a new key (spec, "API keys", 2). `mayProvision` is true for vetted partners. */
export function readApiKeyFields(fields: ApiKeyFields, mayProvision: boolean): ReadApiKey {
  const errors: FormError[] = [];
  const name = nameField.safeParse(fields.name).data;
  if (name === undefined) {
    errors.push({
      field: 'name',
      message: `Enter a name of 1 to ${NAME_MAX_LENGTH} characters.`,
    });
  }
  const permissions = PERMISSIONS.filter((permission) => fields.permissions.includes(permission));
  if (fields.permissions.some((permission) => !(PERMISSIONS as readonly string[]).includes(permission))) {
    errors.push({ field: 'permissions', message: 'Choose only permissions from the list.' });
  } else if (permissions.length === 0) {
    errors.push({
      field: 'permissions',
      message: 'Choose at least one permission. Without a permission, the key has no access.',
    });
  }
  if (permissions.includes('MEMBERSHIP_PROVISION') && !mayProvision) errors.push(NOT_VETTED);
  return name === undefined || errors.length > 0
    ? { kind: 'invalid', errors }
    : { kind: 'valid', name, permissions };
}

/** Error for a user who is not a vetted partner. */
export const NOT_VETTED: FormError = {
  field: 'permissions',
  message: 'MEMBERSHIP_PROVISION is for vetted partners only. Ask the operator of this service for access.',
};

export const TOO_MANY_KEYS: FormError = {
  field: 'name',
  message: `You have ${API_KEYS_MAX} active keys, which is the maximum. Revoke a key before you create another.`,
};
