import { MEMBERSHIP_PRODUCT_TYPES, OAUTH_SCOPES } from '@latchkey/contract/constants';
import * as z from 'zod';
import { apiKeySchema } from '../api-keys/api-key.js';
import { accentField, logoUrlField } from '../brand/brand.js';
import { CLIENT_TYPES, clientFields, clientIdField } from '../clients/client-settings.js';
import { COMMUNITY_ROLES, messengerBotNameField } from '../communities/community.js';
import { dropResource } from '../drops/drop.resource.js';
import type { Resource } from '../fields/define-resource.js';
import { emailField, idField, nameField } from '../fields/fields.js';
import { OPERATOR_ROLES } from '../operator-roles/operator-roles.js';
import { planResource } from '../plans/plan.resource.js';
import { productResource } from '../products/product.resource.js';
import { messengerUserIdField } from '../users/user.js';

/** Fields by which records belong to another one, and the kind of that one. */
export const OWNER_KINDS = {
  userId: 'users',
  ownerId: 'users',
  communityId: 'communities',
  productId: 'products',
  pricingPlanId: 'plans',
  dropSlotId: 'drops',
} as const;

export type OwnerKinds = typeof OWNER_KINDS;

/** Field by which a record belongs to another one. */
export type OwnerField = keyof OwnerKinds;

export const OWNER_FIELDS = Object.keys(OWNER_KINDS) as readonly OwnerField[];

/** What an operation takes, and a sentence for the documentation. */
interface Write<Body extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  readonly body: Body;
}

/** Kind of records. Command line, control API, console and operator area are projections of it. */
interface RecordKindSettings {
  /** One record, in a sentence. */
  readonly one: string;
  readonly table: string;
  /** Columns that are shown. Those with secrets and their hashes are never among them. */
  readonly columns: readonly string[];
  /** Columns that a search looks at. */
  readonly searched: readonly string[];
  /** Fields by which a list can be limited. */
  readonly owners: readonly OwnerField[];
  /** Columns of the order, the last of them unique together with the first. */
  readonly order: readonly [string, string];
  /** Columns that identify a record. Several are joined with `~`. */
  readonly id: readonly string[];
  readonly create: Write;
  /** Absent where the service never changes a record. */
  readonly change?: Write & {
    /** Fields that give the record a new secret. The operator area leaves them out, so that it never has one. */
    readonly secretFields?: readonly string[];
  };
  /** End of a record by the service's own operation: a deletion, an archiving, a revocation. Absent where it has none. */
  readonly end?: Pick<Write, 'summary'> & {
    /** What it does, as a button says it. */
    readonly button: string;
    /** True if nothing restores what it ends. */
    readonly isFinal?: true;
  };
}

const DEFAULTS = { owners: [], order: ['created_at', 'id'], id: ['id'] } as const;
const columnsOf = ({ fields }: Pick<Resource, 'fields'>) => fields.map(({ column }) => column);
const OF_SALE = ['userId', 'communityId', 'productId', 'pricingPlanId'] as const;

const INSTANT_MESSAGE = 'Enter a day and a time with a time zone, such as 2027-01-31T12:00:00Z.';
/** Earliest and last instant that a timestamp of the API can have. */
const [FIRST_YEAR, YEAR_10000] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('+010000-01-01T00:00:00Z')];

const idText = z.string('Enter a UUID.').pipe(idField).describe('UUID');
const owner = idText.meta({ title: 'Owner', description: 'Id of the owner.' });
const user = idText.meta({ title: 'User', description: 'Id of the user.' });
const community = idText.meta({ title: 'Community', description: 'Id of the community.' });
const product = idText.meta({ title: 'Product', description: 'Id of the product.' });
const newId = idText.optional().describe('UUID; by default a new one.');
/** Instant in ISO 8601 with a time zone, a day in UTC, or milliseconds since the epoch. Returns the latter. */
const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date(), z.int()], INSTANT_MESSAGE)
  .transform((given) => (typeof given === 'number' ? given : Date.parse(given)))
  .refine((ms) => ms >= FIRST_YEAR && ms < YEAR_10000, INSTANT_MESSAGE);
const nameText = nameField.describe('Name.');
const logoUrl = logoUrlField.describe('Logo: an https address, or a small image as data URL.');
const accent = accentField.describe('Colour of its pages, such as #b4541a.');
const flag = z.boolean('Enter true or false.').optional();
const yes = z.literal(true, 'Enter true or nothing.').optional();
const email = z
  .string('Enter an e-mail address such as name@example.com.')
  .pipe(emailField)
  .meta({ title: 'Email address' });

const url = z
  .string('Enter an address.')
  .meta({ title: 'Address', description: 'URL that receives the events.' });
// Without the default of a new drop, which a change would take for a value.
const slots = dropResource.change.shape.slots
  .optional()
  .describe('Maximum number of signups. None for no limit.');
const startsAt = instant.meta({ title: 'Starts (UTC)' });
const endsAt = instant
  .nullable()
  .optional()
  .meta({ title: 'Ends (UTC)', description: 'None if the drop never ends.' });
const role = z.enum(COMMUNITY_ROLES, 'Choose OWNER or ADMIN.');
const operatorRole = z
  .enum(OPERATOR_ROLES, 'Choose VIEWER or ADMIN.')
  .describe('A VIEWER reads. An ADMIN also changes and ends records, and appoints operators.');
const isActive = flag.meta({ title: 'Active', description: 'An inactive one has no effect.' });
const validUntil = instant
  .nullable()
  .optional()
  .meta({ title: 'Ends (UTC)', description: 'First instant without access. None for lifetime.' });

const { redirectUris, widgetOrigins } = clientFields;
const clientSettings = z.strictObject({
  type: z
    .enum(CLIENT_TYPES, 'Choose public or confidential.')
    .describe('public for browsers, which cannot keep a secret; confidential for backends.'),
  name: nameText,
  description: clientFields.description.describe('Description on the consent page.'),
  logoUrl: clientFields.logoUrl.describe('Logo on the consent page.'),
  accent: clientFields.accent.describe('Colour of the sign-in pages, such as #b4541a.'),
  scopes: z
    .array(z.enum(OAUTH_SCOPES, `Choose from ${OAUTH_SCOPES.join(', ')}.`))
    .describe('OAuth scopes that the client may request.'),
  redirectUris: redirectUris.describe(
    'URL that may receive authorization codes; matched exactly. https, or http on a loopback address.',
  ),
  widgetOrigins: widgetOrigins.describe('Origin whose pages may sign users in through the widget.'),
  hostedCallback: z.boolean().describe('Registers the widget’s hosted callback too.'),
});

/** All kinds. Those that belong to a record are listed with it in this order. */
export const RECORDS = {
  users: {
    ...DEFAULTS,
    one: 'user',
    table: 'users',
    columns: ['id', 'email', 'name', 'messenger_user_id', 'email_verified_at', 'created_at'],
    searched: ['id', 'email', 'name', 'messenger_user_id'],
    create: {
      summary: 'Creates a user.',
      body: z.strictObject({
        id: newId,
        email: email.describe('It receives the sign-in codes.'),
        name: nameText.optional(),
        messengerUserId: messengerUserIdField
          .optional()
          .meta({ title: 'Messenger account', description: 'User id at the messenger, a whole number.' }),
      }),
    },
    change: {
      summary: 'Changes the name of a user, and if the user may create keys that provision.',
      body: z.strictObject({
        name: nameText.nullable().optional(),
        mayProvision: flag.meta({
          title: 'May create keys with MEMBERSHIP_PROVISION',
          description: 'The service grants it to vetted partners.',
        }),
        turnOffTwoStep: yes.meta({
          title: 'Turn two-step sign-in off',
          description: 'For a user who has lost the app. The user receives a mail.',
        }),
      }),
    },
    end: {
      summary: 'Signs a user out everywhere: ends all sessions and all tokens of apps. The account stays.',
      button: 'Sign out everywhere',
    },
  },
  communities: {
    ...DEFAULTS,
    one: 'community',
    table: 'communities',
    columns: ['id', 'name', 'logo_url', 'accent', 'created_at', 'closed_at'],
    searched: ['id', 'name'],
    create: {
      summary: 'Creates a community with an owner, who asked for it. The owner can close it.',
      body: z.strictObject({
        id: newId,
        name: nameText,
        ownerId: idText.describe('User who becomes its OWNER.'),
        logoUrl: logoUrl.optional(),
        accent: accent.optional(),
      }),
    },
    change: {
      summary: 'Changes the name, the brand and the messenger bot of a community.',
      body: z.strictObject({
        name: nameText.optional(),
        logoUrl: logoUrl.nullable().optional(),
        accent: accent.nullable().optional(),
        messengerBot: messengerBotNameField
          .nullable()
          .optional()
          .describe('Bot that creates its invite links.'),
      }),
    },
    end: {
      summary:
        'Closes a community for good: memberships and subscriptions end, and it sells and accepts nothing.',
      button: 'Close community',
      isFinal: true,
    },
  },
  memberships: {
    ...DEFAULTS,
    one: 'membership',
    table: 'memberships',
    columns: [
      ...['id', 'user_id', 'product_type', 'community_id', 'product_id', 'valid_from', 'valid_until'],
      ...['pricing_plan_id', 'external_order_id', 'subscription_id', 'subscription_cancelled_at'],
      ...['renews_at', 'plan_changes_at'],
    ],
    order: ['valid_from', 'id'],
    searched: ['id', 'user_id', 'product_type', 'external_order_id'],
    owners: OF_SALE,
    create: {
      summary: 'Grants a membership of a community or product. An existing one gets the new period.',
      body: z.strictObject({
        id: newId,
        userId: user,
        productType: z
          .enum(MEMBERSHIP_PRODUCT_TYPES, 'Choose a type from the list.')
          .default('community')
          .meta({ title: 'Type' }),
        communityId: community.optional(),
        productId: product.optional(),
        validFrom: instant
          .optional()
          .meta({ title: 'Starts (UTC)', description: 'First instant of access, by default now.' }),
        validUntil,
      }),
    },
    change: {
      summary: 'Changes the end of a membership, or cancels its renewal, with the rules of the seller area.',
      body: z.strictObject({
        validUntil,
        cancelSubscription: yes.meta({
          title: 'Cancel the subscription',
          description: 'The paid time stays.',
        }),
      }),
    },
    end: { summary: 'Ends a membership and its renewal now.', button: 'End membership', isFinal: true },
  },
  plans: {
    ...DEFAULTS,
    one: 'plan',
    table: 'pricing_plans',
    columns: ['id', 'community_id', ...columnsOf(planResource), 'created_at', 'archived_at'],
    searched: ['id', 'name', 'currency', 'provider'],
    owners: ['communityId'],
    create: {
      summary: 'Creates a plan of a community.',
      body: planResource.create.safeExtend({ id: newId, communityId: community }).strict(),
    },
    change: {
      summary: 'Changes name, price and texts for later sales, and whether the plan is sold.',
      body: z.strictObject({
        ...planResource.change.partial().shape,
        archived: flag.meta({ title: 'Archived: it can no longer be bought' }),
      }),
    },
    end: {
      summary: 'Archives a plan: it can no longer be bought, and members keep access.',
      button: 'Archive plan',
    },
  },
  roles: {
    ...DEFAULTS,
    one: 'role',
    table: 'community_roles',
    columns: ['community_id', 'user_id', 'role', 'is_active'],
    order: ['community_id', 'user_id'],
    id: ['community_id', 'user_id'],
    searched: ['community_id', 'user_id', 'role'],
    owners: ['userId', 'communityId'],
    create: {
      summary:
        'Gives a user a role in a community. An ADMIN has it at once. OWNER counts once the user accepts it; until then the user is ADMIN.',
      body: z.strictObject({
        communityId: community,
        userId: user,
        role,
        isActive: isActive.unwrap().default(true).meta({ title: 'Active' }),
      }),
    },
    change: {
      summary:
        'Changes a role. One active owner must remain. Nobody becomes an active OWNER without accepting it: the user is invited.',
      body: z.strictObject({ role: role.optional(), isActive }),
    },
    end: { summary: 'Removes a role. One active owner must remain.', button: 'Remove role' },
  },
  drops: {
    ...DEFAULTS,
    one: 'drop',
    table: 'drop_slots',
    columns: ['id', 'community_id', 'name', 'slots', 'slots_used', 'starts_at', 'ends_at', 'created_at'],
    searched: ['id', 'name'],
    owners: ['communityId'],
    create: {
      summary: 'Creates a drop of a community.',
      body: z.strictObject({
        id: newId,
        communityId: community,
        name: nameText,
        slots,
        startsAt,
        endsAt,
      }),
    },
    change: {
      summary: 'Changes a drop. It cannot have fewer slots than are taken.',
      body: z.strictObject({ name: nameText.optional(), slots, startsAt: startsAt.optional(), endsAt }),
    },
    end: {
      summary: 'Ends a drop now. One that has not started is cancelled.',
      button: 'End drop',
      isFinal: true,
    },
  },
  reservations: {
    ...DEFAULTS,
    one: 'reservation',
    table: 'checkout_reservations',
    columns: [
      ...['id', 'user_id', 'community_id', 'pricing_plan_id', 'product_id', 'caller_id', 'external_id'],
      ...['utm_source', 'created_at', 'paid_at', 'membership_id'],
    ],
    searched: ['id', 'user_id', 'external_id', 'utm_source'],
    owners: OF_SALE,
    // A reservation expires without payment, so there is nothing to change or to end.
    create: {
      summary: 'Reserves a plan or a product for a user, and returns the address of its checkout.',
      body: z.strictObject({
        userId: idText.meta({ title: 'Buyer' }),
        pricingPlanId: idText.optional().meta({ title: 'Plan' }),
        productId: product.optional(),
      }),
    },
  },
  products: {
    ...DEFAULTS,
    one: 'product',
    table: 'products',
    columns: ['id', 'owner_id', ...columnsOf(productResource), 'created_at'],
    searched: ['id', 'name', 'slug', 'type'],
    owners: ['ownerId'],
    create: {
      summary: 'Creates a product of a seller.',
      body: productResource.create
        .safeExtend({ id: newId, ownerId: idText.meta({ title: 'Seller' }) })
        .strict(),
    },
    change: {
      summary: 'Changes a product, or gives it to another seller with its buyers and its sales.',
      body: z.strictObject({
        ...productResource.change.partial().shape,
        ownerId: idText.optional().meta({ title: 'Seller', description: 'New seller.' }),
      }),
    },
    end: { summary: 'Deletes a product that was never sold.', button: 'Delete product', isFinal: true },
  },
  clients: {
    ...DEFAULTS,
    one: 'client',
    table: 'oauth_clients',
    columns: [
      ...['client_id', 'owner_id', 'type', 'name', 'description', 'logo_url', 'accent'],
      ...['redirect_uris', 'widget_origins', 'scopes', 'verified_at', 'created_at'],
    ],
    order: ['created_at', 'client_id'],
    id: ['client_id'],
    searched: ['client_id', 'name', 'redirect_uris', 'widget_origins'],
    owners: ['ownerId'],
    create: {
      summary: 'Registers a client. The answer has the secret of a confidential client, this once.',
      body: z.strictObject({
        clientId: clientIdField.optional().describe('oac_ and 24 hex characters, by default new.'),
        ownerId: owner,
        ...clientSettings.shape,
        scopes: clientSettings.shape.scopes.default([...OAUTH_SCOPES]),
        redirectUris: clientSettings.shape.redirectUris.default([]),
        widgetOrigins: clientSettings.shape.widgetOrigins.default([]),
        hostedCallback: clientSettings.shape.hostedCallback.default(true),
      }),
    },
    change: {
      summary: 'Changes a client. The answer has a new secret, if the change makes one.',
      body: clientSettings.partial().extend({
        description: clientSettings.shape.description.nullable(),
        logoUrl: clientSettings.shape.logoUrl.nullable(),
        accent: clientSettings.shape.accent.nullable(),
        verified: flag.describe('The operator knows the owner. Then the consent page shows no warning.'),
        replaceSecret: yes.meta({
          title: 'Replace the secret',
          description: 'Only a confidential client has one. The old secret ends at once.',
        }),
      }),
      secretFields: ['type', 'replaceSecret'],
    },
    end: {
      summary: 'Deletes a client with its codes, tokens and consents.',
      button: 'Delete client',
      isFinal: true,
    },
  },
  keys: {
    ...DEFAULTS,
    one: 'API key',
    table: 'api_keys',
    columns: ['id', 'owner_id', 'name', 'key_ending', 'permissions', 'created_at', 'revoked_at'],
    searched: ['id', 'name', 'key_ending', 'permissions'],
    owners: ['ownerId'],
    create: {
      summary: 'Creates an API key. The answer has its text, this once.',
      body: z.strictObject({
        ownerId: owner,
        name: nameText,
        permissions: apiKeySchema.shape.permissions.describe(
          'MEMBERSHIP_PROVISION needs an owner who may provision.',
        ),
      }),
    },
    end: { summary: 'Revokes an API key at once.', button: 'Revoke API key', isFinal: true },
  },
  webhooks: {
    ...DEFAULTS,
    one: 'webhook',
    table: 'webhooks',
    columns: [
      ...['id', 'owner_id', 'community_id', 'product_id', 'url', 'is_active', 'failing_since', 'paused_at'],
      'created_at',
    ],
    searched: ['id', 'url'],
    owners: ['ownerId', 'communityId', 'productId'],
    create: {
      summary: 'Registers a webhook for a community or a product. The answer has its secret.',
      body: z.strictObject({
        id: newId,
        ownerId: idText.describe('OWNER of the community, or seller of the product.'),
        communityId: community.optional(),
        productId: product.optional(),
        url,
      }),
    },
    change: {
      summary: 'Changes a webhook, and returns its secret. Saving ends a pause and sends what waits.',
      body: z.strictObject({
        url: url.optional(),
        isActive,
        rotateSecret: flag.meta({ title: 'Replace the secret', description: 'The old one signs no more.' }),
      }),
      secretFields: ['rotateSecret'],
    },
    end: { summary: 'Deletes a webhook with its deliveries.', button: 'Delete webhook', isFinal: true },
  },
  signups: {
    ...DEFAULTS,
    one: 'signup',
    table: 'drop_signups',
    columns: ['id', 'drop_slot_id', 'email', 'phone_number', 'created_at'],
    searched: ['id', 'email', 'phone_number'],
    owners: ['dropSlotId'],
    // The service neither changes nor deletes one.
    create: {
      summary: 'Signs an address up for the next drop of a community, as the endpoint of the API does.',
      body: z.strictObject({
        communityId: community,
        email,
        phoneNumber: z
          .string()
          .regex(/^\+[1-9]\d{6,14}$/, 'Enter a number such as +4915112345678.')
          .optional()
          .describe('Such as +4915112345678.'),
      }),
    },
  },
  operators: {
    ...DEFAULTS,
    one: 'operator',
    table: 'operators',
    columns: ['user_id', 'role', 'created_at'],
    order: ['created_at', 'user_id'],
    id: ['user_id'],
    searched: ['user_id', 'role'],
    owners: ['userId'],
    create: {
      summary: 'Lets a user into the operator area of the pages.',
      body: z.strictObject({ userId: user, role: operatorRole }),
    },
    change: { summary: 'Changes the role of an operator.', body: z.strictObject({ role: operatorRole }) },
    end: { summary: 'Removes an operator. The user’s account stays.', button: 'Remove operator' },
  },
} as const satisfies Readonly<Record<string, RecordKindSettings>>;

/** Kind of records, as addresses and commands name it. */
export type RecordKind = keyof typeof RECORDS;

export const RECORD_KINDS = Object.keys(RECORDS).sort() as readonly RecordKind[];

/** Settings of a kind, for what all kinds have. */
export function recordKind(kind: RecordKind): RecordKindSettings {
  return RECORDS[kind];
}
