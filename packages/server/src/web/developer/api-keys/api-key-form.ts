import type { Permission } from '@latchkey/contract/constants';
import { apiKeySchema } from '../../../domain/api-keys/api-key.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import { type FormResult, parseForm } from '../../ui/parts/form.js';

/** Maximum number of active keys per user. */
export const API_KEYS_MAX = 50;

/** Raw values of the form of a new key. */
export interface ApiKeyFields {
  name: string;
  permissions: readonly string[];
}

export function apiKeyFieldsOf(form: URLSearchParams): ApiKeyFields {
  return { name: form.get('name') ?? '', permissions: form.getAll('permissions') };
}

/** Validates the form of a new key (spec, "API keys", 2). `mayProvision` is true for users with a provisioning grant. */
export function readApiKey(
  { name, permissions }: ApiKeyFields,
  mayProvision: boolean,
): FormResult<{ name: string; permissions: readonly Permission[] }> {
  const result = parseForm(apiKeySchema, { name, permissions });
  if (mayProvision || !permissions.includes('MEMBERSHIP_PROVISION')) return result;
  const errors = result.kind === 'invalid' ? result.errors : [];
  return { kind: 'invalid', errors: [...errors, MAY_NOT_PROVISION] };
}

/** Error for a user without a provisioning grant. */
export const MAY_NOT_PROVISION: FormError = {
  field: 'permissions',
  message: 'MEMBERSHIP_PROVISION is for approved partners only. Ask the operator of this service for access.',
};

export const TOO_MANY_KEYS: FormError = {
  field: 'name',
  message: `You have ${API_KEYS_MAX} active keys, which is the maximum. Revoke a key before you create another.`,
};
