/** Schemas of the service's entities, for forms and command lines. The entry loads zod but no database code. */

export { apiKeySchema } from './domain/api-keys/api-key.js';
export { accentField, logoUrlField } from './domain/brand/brand.js';
export { planResource } from './domain/catalogue/plan.resource.js';
export { productResource } from './domain/catalogue/product.resource.js';
export { COMMUNITY_ROLES, communitySchema, messengerBotNameField } from './domain/communities/community.js';
export { dropSchema } from './domain/drops/drop.resource.js';
export type { Resource } from './domain/fields/define-resource.js';
export { emailField, idField, instantField, nameField, senderField } from './domain/fields/fields.js';
export { accessWindowSchema, membershipGrantSchema } from './domain/memberships/membership-grant.js';
export {
  CLIENT_TYPES,
  clientFields,
  clientIdField,
  clientSettingsSchema,
} from './domain/oauth/client-settings.js';
export { formFieldsOf, type RecordField } from './domain/operator/record-form.js';
export { RECORD_KINDS, RECORDS, type RecordKind, recordKind } from './domain/operator/record-kinds.js';
export { messengerUserIdField, userSchema } from './domain/users/user.js';
export { endpointUrlField, webhookSchema } from './domain/webhooks/registration/webhook.js';
