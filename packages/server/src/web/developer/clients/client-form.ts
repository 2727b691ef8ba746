import type { z } from 'zod';
import { imitates } from '../../../domain/brand/imitation.js';
import {
  type ClientSettings,
  clientSettingsSchema,
  hostedCallbackOf,
} from '../../../domain/oauth/client-settings.js';
import type { OAuthClient } from '../../../domain/oauth/clients.js';
import { brandFieldsOf, brandOf, fieldsOfBrand } from '../../ui/parts/brand-fields.js';
import type { FormError } from '../../ui/parts/error-summary.js';
import type { ClientFields } from './developer-client-form-page.js';

/** Maximum number of apps per user. */
export const CLIENTS_MAX = 50;

/** Maximum number of errors that one field shows. */
const SHOWN_ERRORS = 10;
/** Maximum number of characters of an invalid value in its error message. */
const SHOWN_VALUE = 80;

export const EMPTY_CLIENT_FIELDS: ClientFields = {
  name: '',
  type: 'public',
  description: '',
  ...fieldsOfBrand({ logoUrl: null, accent: null }),
  redirectUris: '',
  widgetOrigins: '',
  scopes: ['memberships.read'],
  hostedCallback: true,
};

export function clientFieldsOf(form: URLSearchParams): ClientFields {
  const text = (name: string) => form.get(name) ?? '';
  return {
    name: text('name'),
    type: text('type'),
    description: text('description'),
    ...brandFieldsOf(form),
    redirectUris: text('redirectUris'),
    widgetOrigins: text('widgetOrigins'),
    scopes: form.getAll('scopes'),
    hostedCallback: form.has('hostedCallback'),
  };
}

/** Returns the fields of an existing client. The hosted callback is a checkbox, not a line of the redirect URIs. */
export function fieldsOfClient(client: OAuthClient, baseUrl: string): ClientFields {
  const hosted = hostedCallbackOf(baseUrl, client.clientId);
  return {
    name: client.name,
    type: client.type,
    description: client.description ?? '',
    ...fieldsOfBrand(client),
    redirectUris: client.redirectUris.filter((uri) => uri !== hosted).join('\n'),
    widgetOrigins: client.widgetOrigins.join('\n'),
    scopes: client.scopes,
    hostedCallback: client.redirectUris.includes(hosted),
  };
}

/** Converts the fields to settings. Lists have one URL per line. Empty fields are left out. */
export function clientSettingsOf(fields: ClientFields): ClientSettings {
  const description = fields.description.replaceAll('\r\n', '\n').trim();
  return {
    name: fields.name,
    description: description === '' ? undefined : description,
    ...brandOf(fields),
    scopes: fields.scopes,
    redirectUris: linesOf(fields.redirectUris),
    widgetOrigins: linesOf(fields.widgetOrigins),
    hostedCallback: fields.hostedCallback,
  };
}

/** Returns all errors in a client's settings, worded for the form. A client must not look like the service. */
export function clientFormErrors(
  settings: ClientSettings,
  { serviceName, ...address }: { baseUrl: string; clientId: string; serviceName: string },
): FormError[] {
  const { error } = clientSettingsSchema(address).safeParse(settings);
  const errors = firstOfEachField(error?.issues ?? []).map((issue) => toFormError(issue, settings));
  if (imitates(settings.name, serviceName)) {
    errors.unshift({
      field: 'name',
      message: `Enter a name that does not contain “${serviceName}”, the name of this service.`,
    });
  }
  if (settings.scopes.length === 0) {
    errors.push({
      field: 'scopes',
      message: 'Choose at least one scope. Every sign-in must request one.',
    });
  }
  return errors;
}

/** A form can contain thousands of invalid entries. The page would contain the message of each one twice. */
function firstOfEachField(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const counts = new Map<PropertyKey | undefined, number>();
  return issues.filter(({ path: [field] }) => {
    const count = (counts.get(field) ?? 0) + 1;
    counts.set(field, count);
    return count <= SHOWN_ERRORS;
  });
}

function toFormError({ path, message }: z.core.$ZodIssue, settings: ClientSettings): FormError {
  const field = path[0] as keyof ClientSettings;
  const entries = settings[field];
  const value: unknown = Array.isArray(entries) ? entries[Number(path[1])] : undefined;
  if (typeof value !== 'string') return { field, message };
  const shown = value.length > SHOWN_VALUE ? `${value.slice(0, SHOWN_VALUE)}…` : value;
  return { field, message: `“${shown}”: ${message}` };
}

function linesOf(text: string): string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
