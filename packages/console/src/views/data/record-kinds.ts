import type { DataRecord, OwnerKinds, RecordKind } from '@latchkey/sandbox';

/** Names of records, by id. */
export type Labels = Readonly<Record<string, string>>;

/** What the console says about a kind of record. */
export interface KindWording {
  readonly kind: RecordKind;
  readonly label: string;
  /** What a sentence calls one record. */
  readonly one: string;
  /** What an empty list says: what to do. */
  readonly empty: string;
  /** The button that ends a record, and what that does. Absent if a record can't be ended. */
  readonly end?: { readonly label: string; readonly consequence: string };
  /** A sentence in place of the form, if the service never changes such records. */
  readonly fixed?: string;
  title(record: DataRecord, labels: Labels): string;
  about(record: DataRecord, labels: Labels): string;
}

const text = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
const named = (labels: Labels, id: unknown): string => labels[text(id)] ?? text(id);
const price = ({ priceMinor, currency }: DataRecord): string =>
  priceMinor === null ? 'not for sale' : formatPrice(Number(priceMinor), text(currency));

/** Formats a price for reading. `minor` is in the minor unit of the currency. */
function formatPrice(minor: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const period = ({ validFrom, validUntil }: DataRecord): string =>
  `${text(validFrom).slice(0, 10)} – ${validUntil === null ? 'for life' : text(validUntil).slice(0, 10)}`;
const subject = (record: DataRecord, labels: Labels): string =>
  named(labels, record.pricingPlanId ?? record.communityId ?? record.productId ?? record.productType);

/** The kinds, in the order of the tabs. */
const WORDINGS: Readonly<Record<RecordKind, Omit<KindWording, 'kind'>>> = {
  users: {
    label: 'Users',
    one: 'user',
    empty: 'No user yet. Create one, or sign in with a new address.',
    end: {
      label: 'Sign out everywhere',
      consequence:
        'Every session and every token of this user ends now. The account, with roles and memberships, stays.',
    },
    title: ({ name, email, id }) => text(name) || text(email) || text(id),
    about: ({ email }) => text(email),
  },
  communities: {
    label: 'Communities',
    one: 'community',
    empty: 'No community yet. Create one: its owner can then sell plans.',
    end: {
      label: 'Close the community',
      consequence:
        'Memberships and subscriptions end now, and nothing is sold any more. Nothing opens it again. Webhooks get membership.updated.',
    },
    title: ({ name }) => text(name),
    about: ({ createdAt, closedAt }) =>
      `since ${text(createdAt).slice(0, 10)}${closedAt === null ? '' : ', closed'}`,
  },
  memberships: {
    label: 'Memberships',
    one: 'membership',
    empty: 'No membership yet. Grant one, or buy a plan as a test person.',
    end: {
      label: 'End access now',
      consequence:
        'Access ends now, and so does the subscription. The paid time is lost. Webhooks get membership.updated.',
    },
    title: ({ userId }, labels) => named(labels, userId),
    about: (record, labels) =>
      `${named(labels, record.communityId ?? record.productId ?? record.productType)}, ${period(record)}`,
  },
  plans: {
    label: 'Plans',
    one: 'plan',
    empty: 'No plan yet. Create one for a community, and its page sells it.',
    end: {
      label: 'Archive the plan',
      consequence:
        'The plan can no longer be bought. Members keep access, and subscriptions keep their price.',
    },
    title: ({ name }) => text(name),
    about: (record, labels) =>
      `${named(labels, record.communityId)}, ${price(record)}${record.archivedAt === null ? '' : ', archived'}`,
  },
  roles: {
    label: 'Roles',
    one: 'role',
    empty: 'No role yet. A new community gives its owner one.',
    end: {
      label: 'Remove the role',
      consequence: 'The user no longer administers the community. Memberships stay.',
    },
    title: ({ userId }, labels) => named(labels, userId),
    about: ({ role, isActive, communityId }, labels) =>
      `${text(role) === 'OWNER' ? 'Owner' : 'Admin'} of ${named(labels, communityId)}${isActive === true ? '' : ', inactive'}`,
  },
  products: {
    label: 'Products',
    one: 'product',
    empty: 'No product yet. Create one with a price, and its page sells it.',
    end: {
      label: 'Delete the product',
      consequence: 'The product is deleted. This works only if nobody has bought it.',
    },
    title: ({ name }) => text(name),
    about: (record, labels) => `${named(labels, record.ownerId)}, ${price(record)}`,
  },
  reservations: {
    label: 'Reservations',
    one: 'reservation',
    empty: 'No reservation yet. Reserve a plan or a product for a user to get the address of its checkout.',
    fixed: 'A reservation expires without payment after a day. The service neither changes nor deletes one.',
    title: ({ userId }, labels) => named(labels, userId),
    about: (record, labels) => `${subject(record, labels)}, ${record.paidAt === null ? 'not paid' : 'paid'}`,
  },
  drops: {
    label: 'Drops',
    one: 'drop',
    empty: 'No drop yet. Create one for a community to collect signups.',
    end: {
      label: 'End the drop',
      consequence: 'Nobody can sign up any more. A drop that has not started is cancelled. Signups stay.',
    },
    title: ({ name }) => text(name),
    about: ({ communityId, slotsUsed, slots }, labels) =>
      `${named(labels, communityId)}, ${text(slotsUsed)} of ${slots === null ? 'unlimited' : text(slots)} slots taken`,
  },
  signups: {
    label: 'Signups',
    one: 'signup',
    empty: 'No signup yet. Sign an address up for the next drop of a community.',
    fixed: 'The service neither changes nor deletes a signup.',
    title: ({ email }) => text(email),
    about: ({ dropSlotId, phoneNumber }, labels) =>
      [named(labels, dropSlotId), text(phoneNumber)].filter(Boolean).join(', '),
  },
  clients: {
    label: 'Clients',
    one: 'client',
    empty: 'No client yet. Register one for your site or your backend.',
    end: {
      label: 'Delete the client',
      consequence:
        'Every sign-in through this client ends: its codes, tokens and consents are deleted. This cannot be undone.',
    },
    title: ({ name }) => text(name),
    about: ({ clientId, type }) => `${text(type)}, ${text(clientId)}`,
  },
  keys: {
    label: 'API keys',
    one: 'API key',
    empty: 'No API key yet. Create one for a backend that calls the service.',
    fixed: 'The service never changes a key. Create another one, and revoke this one.',
    end: {
      label: 'Revoke the key',
      consequence: 'Calls with this key get 401 from now on. This cannot be undone.',
    },
    title: ({ name }) => text(name),
    about: ({ ownerId, keyEnding, revokedAt }, labels) =>
      `${named(labels, ownerId)}, ends in ${text(keyEnding)}${revokedAt === null ? '' : ', revoked'}`,
  },
  webhooks: {
    label: 'Webhooks',
    one: 'webhook',
    empty: 'No webhook yet. Register one for a community or a product to receive its events.',
    end: {
      label: 'Delete the webhook',
      consequence:
        'The address receives no more events. Waiting deliveries are deleted too. This cannot be undone.',
    },
    title: ({ communityId, productId }, labels) => named(labels, communityId ?? productId),
    about: ({ url, isActive }) => `${text(url)}${isActive === true ? '' : ', inactive'}`,
  },
  operators: {
    label: 'Operators',
    one: 'operator',
    empty: 'No operator yet. Appoint a user to try the operator area of the pages.',
    end: {
      label: 'Remove the operator',
      consequence: 'The user can no longer open the operator area. The account stays.',
    },
    title: ({ userId }, labels) => named(labels, userId),
    about: ({ role }) => (text(role) === 'ADMIN' ? 'reads, changes and ends records' : 'reads records'),
  },
};

export const KINDS: readonly KindWording[] = Object.entries(WORDINGS).map(([kind, wording]) => ({
  kind: kind as RecordKind,
  ...wording,
}));

/** Returns the wording for a kind; the one for users if it's unknown. */
export function wordingOf(kind: string): KindWording {
  const [users] = KINDS;
  const found = KINDS.find((one) => one.kind === kind) ?? users;
  if (found === undefined) throw new Error('There are no kinds.');
  return found;
}

/** The sandbox's kinds of owners. The type is exact, so the compiler finds any difference. */
const OWNER_KINDS: OwnerKinds = {
  userId: 'users',
  ownerId: 'users',
  communityId: 'communities',
  productId: 'products',
  pricingPlanId: 'plans',
  dropSlotId: 'drops',
};

/** Fields that can limit a list to what belongs to a record. */
export const OWNER_FIELDS = Object.keys(OWNER_KINDS);

export const KIND_OF_FIELD: Readonly<Record<string, RecordKind>> = {
  ...OWNER_KINDS,
  callerId: 'users',
  membershipId: 'memberships',
};

/** Returns the name of one record with its article: "a user", "an API key". */
export function withArticle(one: string): string {
  return `${/^[AEIO]/i.test(one) ? 'an' : 'a'} ${one}`;
}
