/** Schemas of the service's entities, for forms and command lines. The entry loads zod but no database code. */

export { apiKeySchema } from './features/api-keys/api-key.js';
export { accentField, logoUrlField } from './features/brand/brand.js';
export {
  CLIENT_TYPES,
  clientFields,
  clientIdField,
  clientSettingsSchema,
} from './features/clients/client-settings.js';
export { COMMUNITY_ROLES, communitySchema, messengerBotNameField } from './features/communities/community.js';
export { dropSchema } from './features/drops/drop.resource.js';
export type { Resource } from './features/fields/define-resource.js';
export { emailField, idField, instantField, nameField, senderField } from './features/fields/fields.js';
export { accessWindowSchema, membershipGrantSchema } from './features/memberships/membership-grant.js';
export { formFieldsOf, type RecordField } from './features/operator/record-form.js';
export { RECORD_KINDS, RECORDS, type RecordKind, recordKind } from './features/operator/record-kinds.js';
export { planResource } from './features/plans/plan.resource.js';
export { productResource } from './features/products/product.resource.js';
export { messengerUserIdField, userSchema } from './features/users/user.js';
export { endpointUrlField, webhookSchema } from './features/webhooks/registration/webhook.js';
