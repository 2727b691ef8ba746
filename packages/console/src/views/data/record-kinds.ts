import type { DataRecord, RecordField, RecordKind } from '@latchkey/sandbox';

/** What the server states about the kinds of records, and about the fields that name a record. `vite.config.ts` puts it here. */
declare const RECORDS: Readonly<
  Record<RecordKind, Pick<KindWording, 'one' | 'end'> & { readonly fields: readonly RecordField[] }>
>;
declare const OWNER_KINDS: Readonly<Record<string, RecordKind>>;

/** Names of records, by id. */
export type Labels = Readonly<Record<string, string>>;

export interface KindWording {
  readonly kind: RecordKind;
  readonly label: string;
  /** What a sentence calls one record. */
  readonly one: string;
  /** What an empty list says: what to do. */
  readonly empty: string;
  /** The button that ends a record, and what that does. Absent if a record can't be ended. */
  readonly end?: { readonly button: string; readonly summary: string; readonly isFinal?: true };
  /** A sentence in place of the form, if the service never changes such records. */
  readonly fixed?: string;
  title(record: DataRecord, labels: Labels): string;
  about(record: DataRecord, labels: Labels): string;
}

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const named = (labels: Labels, id: unknown): string => labels[text(id)] ?? text(id);
const price = ({ priceMinor, currency }: DataRecord): string =>
  priceMinor === null ? 'not for sale' : formatPrice(Number(priceMinor), text(currency));

function formatPrice(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const period = ({ validFrom, validUntil }: DataRecord): string =>
  `${text(validFrom).slice(0, 10)} – ${validUntil === null ? 'for life' : text(validUntil).slice(0, 10)}`;
const subject = (record: DataRecord, labels: Labels): string =>
  named(labels, record.pricingPlanId ?? record.communityId ?? record.productId ?? record.productType);

/** The kinds, in the order of the tabs. */
const WORDINGS: Readonly<
  Record<RecordKind, Pick<KindWording, 'empty' | 'fixed' | 'about'> & Partial<Pick<KindWording, 'title'>>>
> = {
  users: {
    empty: 'No user yet. Create one, or sign in with a new address.',
    about: ({ email }) => text(email),
  },
  communities: {
    empty: 'No community yet. Create one: its owner can then sell plans.',
    about: ({ createdAt, closedAt }) =>
      `since ${text(createdAt).slice(0, 10)}${closedAt === null ? '' : ', closed'}`,
  },
  memberships: {
    empty: 'No membership yet. Grant one, or buy a plan as a test person.',
    about: (record, labels) =>
      `${named(labels, record.communityId ?? record.productId ?? record.productType)}, ${period(record)}`,
  },
  plans: {
    empty: 'No plan yet. Create one for a community, and its page sells it.',
    about: (record, labels) =>
      `${named(labels, record.communityId)}, ${price(record)}${record.archivedAt === null ? '' : ', archived'}`,
  },
  roles: {
    empty: 'No role yet. A new community gives its owner one.',
    about: ({ role, isActive, communityId }, labels) =>
      `${text(role) === 'OWNER' ? 'Owner' : 'Admin'} of ${named(labels, communityId)}${isActive === true ? '' : ', inactive'}`,
  },
  invitations: {
    empty: 'No invitation yet. Invite an address to a community, and accept as its holder.',
    fixed: 'The service never changes an invitation. Withdraw it, and create another one.',
    about: ({ communityId, role, declinedAt }, labels) =>
      `${text(role) || 'member'} of ${named(labels, communityId)}${declinedAt === null ? '' : ', declined'}`,
  },
  products: {
    empty: 'No product yet. Create one with a price, and its page sells it.',
    about: (record, labels) => `${named(labels, record.ownerId)}, ${price(record)}`,
  },
  reservations: {
    empty: 'No reservation yet. Reserve a plan or a product for a user to get the address of its checkout.',
    fixed: 'A reservation expires without payment after a day. The service neither changes nor deletes one.',
    about: (record, labels) => `${subject(record, labels)}, ${record.paidAt === null ? 'not paid' : 'paid'}`,
  },
  drops: {
    empty: 'No drop yet. Create one for a community to collect signups.',
    about: ({ communityId, slotsUsed, slots }, labels) =>
      `${named(labels, communityId)}, ${text(slotsUsed)} of ${slots === null ? 'unlimited' : text(slots)} slots taken`,
  },
  signups: {
    empty: 'No signup yet. Sign an address up for the next drop of a community.',
    fixed: 'The service neither changes nor deletes a signup.',
    about: ({ dropSlotId, phoneNumber }, labels) =>
      [named(labels, dropSlotId), text(phoneNumber)].filter(Boolean).join(', '),
  },
  clients: {
    empty: 'No client yet. Register one for your site or your backend.',
    about: ({ clientId, type }) => `${text(type)}, ${text(clientId)}`,
  },
  keys: {
    empty: 'No API key yet. Create one for a backend that calls the service.',
    fixed: 'The service never changes a key. Create another one, and revoke this one.',
    about: ({ ownerId, keyEnding, revokedAt }, labels) =>
      `${named(labels, ownerId)}, ends in ${text(keyEnding)}${revokedAt === null ? '' : ', revoked'}`,
  },
  webhooks: {
    empty: 'No webhook yet. Register one for a community or a product to receive its events.',
    title: ({ communityId, productId }, labels) => named(labels, communityId ?? productId),
    about: ({ url, isActive }) => `${text(url)}${isActive === true ? '' : ', inactive'}`,
  },
  operators: {
    empty: 'No operator yet. Appoint a user to try the operator area of the pages.',
    about: ({ role }) => (text(role) === 'ADMIN' ? 'reads, changes and ends records' : 'reads records'),
  },
};

export const KINDS: readonly KindWording[] = Object.entries(WORDINGS).map(([name, wording]) => {
  const kind = name as RecordKind;
  const { one, end } = RECORDS[kind];
  // "API keys" for keys.
  const label = [...one.split(' ').slice(0, -1), kind].join(' ');
  return {
    kind,
    label: label.charAt(0).toUpperCase() + label.slice(1),
    one,
    ...(end && { end }),
    title: ({ name, email, userId, id }, labels) =>
      text(name) || text(email) || named(labels, userId) || text(id),
    ...wording,
  };
});

/** Returns the wording for a kind; the one for users if it's unknown. */
export function wordingOf(kind: string): KindWording {
  const [users] = KINDS;
  const found = KINDS.find((one) => one.kind === kind) ?? users;
  if (found === undefined) throw new Error('There are no kinds.');
  return found;
}

/** Fields that can limit a list to what belongs to a record. */
export const OWNER_FIELDS = Object.keys(OWNER_KINDS);

export const KIND_OF_FIELD: Readonly<Record<string, RecordKind>> = {
  ...OWNER_KINDS,
  ...{ callerId: 'users', invitedBy: 'users' },
  membershipId: 'memberships',
};

export function fieldsOf(kind: RecordKind, form: 'create' | 'edit'): readonly RecordField[] {
  return RECORDS[kind].fields.filter((field) => (field.in ?? form) === form);
}

/** Returns the name of one record with its article: "a user", "an API key". */
export function withArticle(one: string): string {
  return `${/^[AEIO]/i.test(one) ? 'an' : 'a'} ${one}`;
}
