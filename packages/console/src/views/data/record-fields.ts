import { MEMBERSHIP_PRODUCT_TYPES, PERMISSIONS } from '@latchkey/contract/constants';
import type { DataRecord, RecordKind } from '@latchkey/sandbox';

/** Field of a form. Its type decides the control. */
export interface RecordField {
  /** Name in the control API. */
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'number' | 'time' | 'choice' | 'choices' | 'flag' | 'list' | 'record';
  /** Forms with the field. Default: both. */
  readonly in?: 'create' | 'edit';
  /** Values of the field `productType` with which a new record has this field. Default: all. */
  readonly forTypes?: readonly string[];
  /** Values of a choice. The first one is chosen, unless the field may be empty. */
  readonly options?: readonly string[];
  /** Kind of the record that the field names. */
  readonly of?: RecordKind;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** True if the field can be emptied. */
  readonly isNullable?: boolean;
  /** Returns the present value, where the record has it under another name. */
  readonly read?: (record: DataRecord) => unknown;
}

type More = Partial<Omit<RecordField, 'name' | 'label' | 'type'>>;

const fieldOf =
  (type: RecordField['type'], always: More = {}) =>
  (name: string, label: string, more: More = {}): RecordField => ({ name, label, type, ...always, ...more });
const text = fieldOf('text');
const number = fieldOf('number');
const time = fieldOf('time');
const choice = fieldOf('choice');
const list = fieldOf('list');
const flag = fieldOf('flag');
const record = fieldOf('record', { in: 'create' });
const created: More = { in: 'create' };
const changed: More = { in: 'edit' };
const required: More = { isRequired: true };
const nullable: More = { isNullable: true };

const name = text('name', 'Name', required);
const community = record('communityId', 'Community', { of: 'communities', ...required });
const user = record('userId', 'User', { of: 'users', ...required });
const owner = record('ownerId', 'Owner', { of: 'users', ...required });
const product = record('productId', 'Product', { of: 'products' });
const isActive = flag('isActive', 'Active', changed);

/** Fields of the server's resources, which `vite.config.ts` puts here. */
declare const RESOURCE_FIELDS: Readonly<Record<'plans' | 'products', readonly RecordField[]>>;

export const RECORD_FIELDS: Readonly<Record<RecordKind, readonly RecordField[]>> = {
  users: [
    text('email', 'Email address', { ...created, ...required }),
    text('name', 'Name', nullable),
    number('messengerUserId', 'Messenger account', { ...created, hint: 'A whole number.' }),
    flag('mayProvision', 'May create keys with MEMBERSHIP_PROVISION', changed),
  ],
  communities: [
    name,
    owner,
    text('messengerBot', 'Messenger bot', {
      ...changed,
      ...nullable,
      hint: '3 to 64 letters, digits and underscores.',
    }),
  ],
  roles: [community, user, choice('role', 'Role', { options: ['ADMIN', 'OWNER'], ...required }), isActive],
  plans: [
    community,
    ...RESOURCE_FIELDS.plans,
    flag('archived', 'Archived: it can no longer be bought', {
      ...changed,
      read: ({ archivedAt }) => archivedAt !== null,
    }),
  ],
  products: [{ ...owner, label: 'Seller' }, ...RESOURCE_FIELDS.products],
  memberships: [
    user,
    choice('productType', 'Type', { ...created, options: MEMBERSHIP_PRODUCT_TYPES }),
    { ...community, forTypes: ['community'] },
    { ...community, forTypes: ['clipping_campaign', 'agency'], isRequired: false },
    { ...product, forTypes: ['digital_product'], ...required },
    time('validFrom', 'Starts (UTC)', { ...created, hint: 'Leave blank to start now.' }),
    time('validUntil', 'Ends (UTC)', { ...nullable, hint: 'Leave blank for lifetime access.' }),
    flag('cancelSubscription', 'Cancel the subscription', { ...changed, hint: 'The paid time stays.' }),
  ],
  reservations: [{ ...user, label: 'Buyer' }, record('pricingPlanId', 'Plan', { of: 'plans' }), product],
  drops: [
    community,
    name,
    number('slots', 'Slots', { ...nullable, hint: 'Leave blank for no limit.' }),
    time('startsAt', 'Starts (UTC)', required),
    time('endsAt', 'Ends (UTC)', { ...nullable, hint: 'Leave blank for no end.' }),
  ],
  signups: [
    { ...community, hint: 'The signup is for its next drop.' },
    text('email', 'Email address', { ...created, ...required }),
    text('phoneNumber', 'Phone number', { ...created, hint: 'Such as +4915112345678.' }),
  ],
  clients: [
    owner,
    choice('type', 'Type', { options: ['public', 'confidential'] }),
    name,
    text('description', 'Description'),
    list('redirectUris', 'Redirect URIs', { hint: 'One on each line.' }),
    list('widgetOrigins', 'Widget origins', { hint: 'One on each line.' }),
    flag('verified', 'Verified', { ...changed, read: ({ verifiedAt }) => verifiedAt !== null }),
    flag('replaceSecret', 'Replace the secret', {
      ...changed,
      hint: 'Only a confidential client has one. The old secret ends at once.',
    }),
  ],
  keys: [
    owner,
    name,
    fieldOf('choices')('permissions', 'Permissions', {
      ...created,
      ...required,
      options: PERMISSIONS,
    }),
  ],
  webhooks: [
    owner,
    { ...community, isRequired: false, hint: 'Either this or a product.' },
    product,
    text('url', 'Address', required),
    isActive,
    flag('rotateSecret', 'Replace the secret', { ...changed, hint: 'The old one signs no more.' }),
  ],
  operators: [user, choice('role', 'Role', { options: ['VIEWER', 'ADMIN'], ...required })],
};

/** Returns the text or flag of a field in a form. */
export function formValueOf(field: RecordField, record: DataRecord | undefined): string | boolean {
  const value = record === undefined ? undefined : field.read ? field.read(record) : record[field.name];
  if (field.type === 'flag') return value === true;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.join(field.type === 'choices' ? ' ' : '\n');
  // The controls for times have no seconds, and no zone: they are in UTC, as everywhere in the sandbox.
  return field.type === 'time' ? String(value).slice(0, 16) : String(value);
}

/** Returns the text of a field from a form, with lines as in the record. A day without a time begins at midnight. */
export function textIn(form: FormData, { name, type }: RecordField): string {
  if (type === 'choices') return form.getAll(name).join(' ');
  const text = String(form.get(name) ?? '').replaceAll('\r\n', '\n');
  if (type !== 'time') return text;
  const time = String(form.get(timeNameOf(name)) ?? '');
  return text === '' && time === '' ? '' : `${text}T${time === '' ? '00:00' : time}`;
}

/** Returns the name of the control with the time of day, beside the one with the day. */
export function timeNameOf(name: string): string {
  return `${name}-time`;
}

/** Returns the value of a field for the control API; undefined for an empty one. */
export function sentValueOf({ type }: RecordField, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  if (type === 'list')
    return value
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (type === 'choices') return value.split(' ').filter(Boolean);
  const text = value.trim();
  if (text === '') return undefined;
  if (type === 'time') return `${text.length === 16 ? `${text}:00` : text}Z`;
  return type === 'number' && Number.isFinite(Number(text)) ? Number(text) : text;
}
