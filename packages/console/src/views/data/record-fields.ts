import type { RecordKind } from '@latchkey/sandbox';
import type { RecordField } from './record-field.js';

const TYPES = ['community', 'digital_product', 'clipping_campaign', 'agency'];
const name: RecordField = { name: 'name', label: 'Name', type: 'text', isRequired: true };
const community: RecordField = {
  ...{ name: 'communityId', label: 'Community', type: 'record', of: 'communities' },
  ...{ in: 'create', isRequired: true },
};
const user: RecordField = {
  ...{ name: 'userId', label: 'User', type: 'record', of: 'users', in: 'create', isRequired: true },
};
const owner: RecordField = {
  ...{ name: 'ownerId', label: 'Owner', type: 'record', of: 'users', in: 'create', isRequired: true },
};
const product: RecordField = {
  ...{ name: 'productId', label: 'Product', type: 'record', of: 'products', in: 'create' },
};
const price: RecordField = {
  ...{ name: 'priceMinor', label: 'Price', type: 'number', hint: 'In the minor unit: 900 is 9.00.' },
};
const currency: RecordField = {
  name: 'currency',
  label: 'Currency',
  type: 'text',
  hint: 'ISO 4217. Default: EUR.',
};
const isActive: RecordField = { name: 'isActive', label: 'Active', type: 'flag', in: 'edit' };

export const RECORD_FIELDS: Readonly<Record<RecordKind, readonly RecordField[]>> = {
  users: [
    { name: 'email', label: 'Email address', type: 'text', in: 'create', isRequired: true },
    { name: 'name', label: 'Name', type: 'text', isNullable: true },
    {
      name: 'messengerUserId',
      label: 'Messenger account',
      type: 'number',
      in: 'create',
      hint: 'A whole number.',
    },
    { name: 'mayProvision', label: 'May create keys with MEMBERSHIP_PROVISION', type: 'flag', in: 'edit' },
  ],
  communities: [
    name,
    owner,
    {
      ...{ name: 'messengerBot', label: 'Messenger bot', type: 'text', in: 'edit', isNullable: true },
      hint: '3 to 64 letters, digits and underscores.',
    },
  ],
  roles: [
    community,
    user,
    { name: 'role', label: 'Role', type: 'choice', options: ['ADMIN', 'OWNER'], isRequired: true },
    isActive,
  ],
  plans: [
    community,
    name,
    { ...price, isRequired: true },
    { ...currency, in: 'create' },
    {
      name: 'periodDays',
      label: 'Days of access',
      type: 'number',
      in: 'create',
      hint: 'Leave blank for lifetime access.',
    },
    { name: 'renews', label: 'A subscription renews it', type: 'flag', in: 'create' },
    { name: 'provider', label: 'Paid by', type: 'choice', options: ['card', 'crypto'], in: 'create' },
    { name: 'description', label: 'Description', type: 'text', isNullable: true },
    { name: 'benefits', label: 'Benefits', type: 'list', hint: 'One on each line, at most 8.' },
    {
      ...{ name: 'archived', label: 'Archived: it can no longer be bought', type: 'flag', in: 'edit' },
      read: ({ archivedAt }) => archivedAt !== null,
    },
  ],
  products: [
    { ...owner, label: 'Seller' },
    name,
    { name: 'slug', label: 'Slug', type: 'text', isRequired: true, hint: 'Such as the-brew-guide.' },
    {
      ...{ name: 'type', label: 'Type', type: 'choice', isNullable: true },
      options: ['ebook', 'course', 'video', 'audio', 'document', 'consultation', 'other'],
    },
    { name: 'description', label: 'Description', type: 'text', isNullable: true },
    { ...price, isNullable: true, hint: 'In the minor unit. Leave blank if it is not for sale.' },
    currency,
  ],
  memberships: [
    user,
    { name: 'productType', label: 'Type', type: 'choice', in: 'create', options: TYPES },
    { ...community, forTypes: ['community'] },
    { ...community, forTypes: ['clipping_campaign', 'agency'], isRequired: false },
    { ...product, forTypes: ['digital_product'], isRequired: true },
    {
      name: 'validFrom',
      label: 'Starts (UTC)',
      type: 'time',
      in: 'create',
      hint: 'Leave blank to start now.',
    },
    {
      name: 'validUntil',
      label: 'Ends (UTC)',
      type: 'time',
      isNullable: true,
      hint: 'Leave blank for lifetime access.',
    },
    {
      ...{ name: 'cancelSubscription', label: 'Cancel the subscription', type: 'flag', in: 'edit' },
      hint: 'The paid time stays.',
    },
  ],
  reservations: [
    { ...user, label: 'Buyer' },
    { name: 'pricingPlanId', label: 'Plan', type: 'record', of: 'plans', in: 'create' },
    product,
  ],
  drops: [
    community,
    name,
    { name: 'slots', label: 'Slots', type: 'number', isNullable: true, hint: 'Leave blank for no limit.' },
    { name: 'startsAt', label: 'Starts (UTC)', type: 'time', isRequired: true },
    { name: 'endsAt', label: 'Ends (UTC)', type: 'time', isNullable: true, hint: 'Leave blank for no end.' },
  ],
  signups: [
    { ...community, hint: 'The signup is for its next drop.' },
    { name: 'email', label: 'Email address', type: 'text', in: 'create', isRequired: true },
    {
      name: 'phoneNumber',
      label: 'Phone number',
      type: 'text',
      in: 'create',
      hint: 'Such as +4915112345678.',
    },
  ],
  clients: [
    { ...owner },
    { name: 'type', label: 'Type', type: 'choice', options: ['public', 'confidential'] },
    name,
    { name: 'description', label: 'Description', type: 'text' },
    { name: 'redirectUris', label: 'Redirect URIs', type: 'list', hint: 'One on each line.' },
    { name: 'widgetOrigins', label: 'Widget origins', type: 'list', hint: 'One on each line.' },
    {
      name: 'verified',
      label: 'Verified',
      type: 'flag',
      in: 'edit',
      read: ({ verifiedAt }) => verifiedAt !== null,
    },
    {
      ...{ name: 'replaceSecret', label: 'Replace the secret', type: 'flag', in: 'edit' },
      hint: 'Only a confidential client has one. The old secret ends at once.',
    },
  ],
  keys: [
    owner,
    name,
    {
      ...{ name: 'permissions', label: 'Permissions', type: 'choices', in: 'create', isRequired: true },
      options: [
        'MEMBERSHIP_READ',
        'MEMBERSHIP_WRITE',
        'CHECKOUT_WRITE',
        'DROP_NOTIFICATION_WRITE',
        'MEMBERSHIP_PROVISION',
      ],
    },
  ],
  webhooks: [
    owner,
    { ...community, isRequired: false, hint: 'Either this or a product.' },
    product,
    { name: 'url', label: 'Address', type: 'text', isRequired: true },
    isActive,
    {
      name: 'rotateSecret',
      label: 'Replace the secret',
      type: 'flag',
      in: 'edit',
      hint: 'The old one signs no more.',
    },
  ],
};
