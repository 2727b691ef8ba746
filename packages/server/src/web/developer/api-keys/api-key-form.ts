import { PERMISSIONS, type Permission } from '@latchkey/contract/constants';
import { NAME_MAX_LENGTH, nameField } from '../../../domain/fields/name.js';
import type { FormError } from '../../ui/error-summary.js';

/** How many living keys somebody can have. */
export const API_KEYS_MAX = 50;

/** What the form of a new key holds, as it was typed. */
export interface ApiKeyFields {
  name: string;
  permissions: readonly string[];
}

/** A new key that the form describes well, or everything that is wrong with it. */
type ReadApiKey =
  | { kind: 'valid'; name: string; permissions: Permission[] }
  | { kind: 'invalid'; errors: FormError[] };

export function apiKeyFieldsOf(form: URLSearchParams): ApiKeyFields {
  return { name: form.get('name') ?? '', permissions: form.getAll('permissions') };
}

/** Reads the form of a new key (spec, "API keys", 2). `mayProvision`: the owner is a vetted partner. */
export function readApiKeyFields(fields: ApiKeyFields, mayProvision: boolean): ReadApiKey {
  const errors: FormError[] = [];
  const name = nameField.safeParse(fields.name).data;
  if (name === undefined) {
    errors.push({
      field: 'name',
      message: `Give the key a name of 1 to ${NAME_MAX_LENGTH} characters, by which you will know it again.`,
    });
  }
  const permissions = PERMISSIONS.filter((permission) => fields.permissions.includes(permission));
  if (fields.permissions.some((permission) => !(PERMISSIONS as readonly string[]).includes(permission))) {
    errors.push({ field: 'permissions', message: 'Choose from the permissions below only.' });
  } else if (permissions.length === 0) {
    errors.push({
      field: 'permissions',
      message: 'Choose at least one permission: without any, the key opens nothing.',
    });
  }
  if (permissions.includes('MEMBERSHIP_PROVISION') && !mayProvision) errors.push(NOT_VETTED);
  return name === undefined || errors.length > 0
    ? { kind: 'invalid', errors }
    : { kind: 'valid', name, permissions };
}

/** Who is no vetted partner chose what is for vetted partners. */
export const NOT_VETTED: FormError = {
  field: 'permissions',
  message:
    'MEMBERSHIP_PROVISION is for vetted partners: whoever runs this service has to grant it to you first.',
};

export const TOO_MANY_KEYS: FormError = {
  field: 'name',
  message: `You have ${API_KEYS_MAX} keys that work. Revoke one that you no longer need first.`,
};
