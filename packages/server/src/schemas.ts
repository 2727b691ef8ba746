/** Schemas of the service's entities, for forms and command lines. The entry loads zod but no database code. */

export { accentField, logoUrlField } from './features/brand/brand.js';
export { OWNER_KINDS, type OwnerField, type Records } from './features/fields/define-records.js';
export type { Resource } from './features/fields/define-resource.js';
export { instantField, nameField, senderField } from './features/fields/fields.js';
export { formFieldsOf, type RecordField } from './features/operator/record-form.js';
export { RECORD_KINDS, type RecordKind, recordKind } from './features/operator/record-kinds.js';
