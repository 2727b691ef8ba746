import type * as z from 'zod';
import type { Needs } from '../../app/services.js';
import type { Database } from '../../platform/database/open-database.js';
import { hashSecret } from '../../platform/secrets.js';
import { grantProvisioning, revokeApiKey, withdrawProvisioning } from '../api-keys/api-keys.js';
import { communityBrand, storeCommunityBrand } from '../brand/brands.js';
import { checkoutPath, findOfferOf, openCheckout } from '../checkout/checkouts.js';
import { deleteClient } from '../clients/clients.js';
import { findCommunity, renameCommunity } from '../communities/communities.js';
import type { RoleChange } from '../communities/role-change.js';
import { changeRole, findOwners } from '../communities/roles.js';
import { endMemberships, storeClosing } from '../community-closing/close-community.js';
import { changeDrop, endDrop } from '../drops/drop.queries.js';
import { dropSchema } from '../drops/drop.resource.js';
import { signUpForDrop } from '../drops/sign-up-for-drop.js';
import { changeMembership, writeDecision } from '../memberships/administer-membership.js';
import { decideEndNow } from '../memberships/membership-change.js';
import { readMembership } from '../memberships/membership-periods.js';
import { storeBotName } from '../messenger/messenger-bots.js';
import { appointOperator, changeOperatorRole, removeOperator } from '../operator-roles/operator-roles.js';
import { changePlan, type PlanChange } from '../plans/plan.queries.js';
import { changeProduct, deleteProduct, handOverProduct } from '../products/product.queries.js';
import { productResource } from '../products/product.resource.js';
import { endAllSessions } from '../sessions/sessions.js';
import { turnTwoStepOffAsOperator } from '../two-step/two-step-settings.js';
import { renameUser } from '../users/users.js';
import { deleteWebhook } from '../webhooks/registration/webhooks.js';
import { changeClient, changeWebhook } from './developer-calls.js';
import type { NamedCalls } from './named-calls.js';
import {
  alreadyExists,
  conflict,
  invalidInput,
  notFound,
  parseInput,
  requireUser,
} from './operator-checks.js';
import type { RECORDS, RecordKind } from './record-kinds.js';
import { asRecord, requireRow } from './records.js';
import { inviteAsOwner } from './seller-calls.js';

/** Transaction of a write, and the services that act in it. */
export type WriteContext = { readonly operator: NamedCalls } & Needs<
  'baseUrl' | 'clock' | 'db' | 'logger' | 'webhookPolicy'
>;

/** New record. Secrets among the other fields are shown this once. */
export interface CreatedRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What a change returns: the secret of a client or of a webhook. */
export interface NewSecrets {
  readonly clientSecret?: string;
  readonly secret?: string;
}

type Settings<Kind extends RecordKind, Write extends 'create' | 'change'> = (typeof RECORDS)[Kind] extends {
  readonly [Name in Write]: { readonly body: infer Body extends z.ZodType };
}
  ? z.output<Body>
  : never;

/** How the records of a kind are written: by the service's own operations, so that its rules hold and its events are sent. */
interface RecordWrites<Kind extends RecordKind> {
  create(input: Settings<Kind, 'create'>, context: WriteContext): Promise<CreatedRecord>;
  /** Returns fields for the caller, such as a new secret. Nothing without any. */
  change?(
    id: string,
    changes: Settings<Kind, 'change'>,
    context: WriteContext,
  ): Promise<NewSecrets | undefined>;
  end?(id: string, context: WriteContext): Promise<unknown>;
}

export const RECORD_WRITES: { readonly [Kind in RecordKind]: RecordWrites<Kind> } = {
  users: {
    create: (user, { operator }) => operator.createUser(defined(user)),
    async change(id, { name, mayProvision, turnOffTwoStep }, { db, clock, logger }) {
      await requireRow(db, 'users', id);
      if (name !== undefined) await renameUser(db, id, name);
      if (mayProvision === true) await grantProvisioning(db, id, clock.now());
      if (mayProvision === false) await withdrawProvisioning(db, id);
      if (turnOffTwoStep) {
        if (!(await turnTwoStepOffAsOperator(db, id, clock.now())))
          throw conflict('The user does not have two-step sign-in on.', 'turnOffTwoStep');
        logger.warn({ userId: id }, 'Two-step sign-in was turned off by the operator');
      }
      return undefined;
    },
    async end(userId, { db, clock }) {
      await requireRow(db, 'users', userId);
      await endAllSessions(db, { userId, except: undefined, apps: true }, clock.now());
    },
  },
  communities: {
    create: (community, { operator }) => operator.createCommunity(defined(community)),
    async change(id, { name, messengerBot, ...brand }, { db, clock }) {
      await requireRow(db, 'communities', id);
      await requireOpen(db, id);
      if (name !== undefined) await renameCommunity(db, await actingOwner(db, id), name);
      if (Object.keys(brand).length > 0) {
        const current = await communityBrand(db, id);
        await storeCommunityBrand(db, id, { logoUrl: null, accent: null, ...current, ...defined(brand) });
      }
      if (messengerBot !== undefined) await storeBotName(db, id, messengerBot, clock.now());
      return undefined;
    },
    async end(id, { db, clock }) {
      await requireRow(db, 'communities', id);
      await requireOpen(db, id);
      const now = clock.now();
      await storeClosing(db, id, now);
      // In the transaction of the call, as far as it may reach. The worker ends the rest.
      await endMemberships(db, id, { now, batches: 1 });
    },
  },
  memberships: {
    async create(grant, { operator }) {
      if (grant.productType === 'community' && (grant.communityId ?? grant.productId) === undefined) {
        throw wrong('communityId', 'Enter the community of the membership.');
      }
      return await operator.grantMembership(defined(grant));
    },
    async change(id, { validUntil, cancelSubscription }, context) {
      if (cancelSubscription) await changeMembershipOf(id, { kind: 'cancel-subscription' }, context);
      if (validUntil !== undefined) await changeMembershipOf(id, { kind: 'set-end', validUntil }, context);
      return undefined;
    },
    async end(id, { db, clock }) {
      const now = clock.now();
      const row = await db.selectFrom('memberships').selectAll().where('id', '=', id).executeTakeFirst();
      if (row === undefined) throw notFound('membership', id);
      const current = await readMembership(db, row, now);
      await writeDecision(db, { current, decision: decideEndNow(current, now) }, now);
    },
  },
  plans: {
    create: (plan, { operator }) => operator.createPricingPlan(defined(plan)),
    async change(id, { archived, ...changes }, context) {
      const archivedAt = archived === undefined ? {} : { archivedAt: archived ? context.clock.now() : null };
      await changePlanOf(id, { ...defined(changes), ...archivedAt }, context);
      return undefined;
    },
    end: (id, context) => changePlanOf(id, { archivedAt: context.clock.now() }, context),
  },
  // The id of a role is the id of its community, `~` and the id of its user.
  roles: {
    async create(assignment, { db, operator }) {
      const { communityId, userId } = assignment;
      const id = `${communityId}~${userId}`;
      const own = await db
        .selectFrom('community_roles')
        .select('role')
        .where('community_id', '=', communityId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      if (own !== undefined) {
        throw conflict('The user already has a role in the community. Change that role.', 'userId');
      }
      await operator.assignRole(defined(assignment));
      return { id };
    },
    async change(id, { role, isActive }, context) {
      const userId = await holderOf(id, context);
      const setActive = { kind: 'set-active', userId, isActive: isActive === true } as const;
      // An inactive role is no obligation, so nobody has to accept it.
      if (isActive === false) await changeRoleOf(id, setActive, context);
      if (role !== undefined) await changeRoleOf(id, { kind: 'set-role', userId, role }, context);
      if (isActive === true) await changeRoleOf(id, setActive, context);
      return undefined;
    },
    end: async (id, context) =>
      changeRoleOf(id, { kind: 'remove', userId: await holderOf(id, context) }, context),
  },
  drops: {
    create: (drop, { operator }) => operator.createDropSlot(defined(drop)),
    async change(id, changes, { db }) {
      const row = await requireRow(db, 'drops', id);
      const { name, slots, starts_at: startsAt, ends_at: endsAt } = row;
      const current = { name: String(name), slots: slots as number | null, startsAt: Number(startsAt) };
      const settings = { ...current, endsAt: endsAt as number | null, ...defined(changes) };
      const actor = await actingOwner(db, String(row.community_id));
      const result = await changeDrop(db, actor, { dropId: id, drop: parseInput(dropSchema, settings) });
      if (result.kind === 'too-few-slots') {
        throw conflict(`${result.slotsUsed} slots are taken. Enter at least this number.`, 'slots');
      }
      return undefined;
    },
    async end(id, { db, clock }) {
      const row = await requireRow(db, 'drops', id);
      await endDrop(db, await actingOwner(db, String(row.community_id)), { dropId: id, now: clock.now() });
    },
  },
  reservations: { create: reserve },
  products: {
    create: (product, { operator }) => operator.createProduct(defined(product)),
    async change(id, { ownerId, ...changes }, { db, clock }) {
      const row = await requireRow(db, 'products', id);
      const current = asRecord('products', row, clock.now());
      const product = parseInput(productResource.create, {
        ...(current as z.input<typeof productResource.create>),
        currency: (current.currency as undefined) ?? undefined,
        ...defined(changes),
      });
      const result = await changeProduct(db, { productId: id, userId: String(row.owner_id) }, product);
      if (result.kind === 'slug-taken') {
        throw conflict('Another product of the seller has this slug. Enter a different one.', 'slug');
      }
      if (ownerId !== undefined) await handOver(db, { productId: id, newOwnerId: ownerId });
      return undefined;
    },
    async end(id, { db }) {
      const { owner_id } = await requireRow(db, 'products', id);
      const result = await deleteProduct(db, { productId: id, userId: String(owner_id) });
      if (result.kind === 'unknown') throw notFound('product', id);
      if (result.kind === 'in-use') {
        throw conflict(
          'The product has members or payments, so the service keeps it. Remove its price to end its sale.',
        );
      }
    },
  },
  clients: {
    async create(client, { operator }) {
      const { clientId, clientSecret } = await operator.registerClient(defined(client));
      return { id: clientId, clientId, ...(clientSecret !== undefined && { clientSecret }) };
    },
    change: (id, changes, context) => changeClient(context, id, changes),
    async end(clientId, { db }) {
      const { owner_id } = await requireRow(db, 'clients', clientId);
      await deleteClient(db, { clientId, ownerId: String(owner_id) });
    },
  },
  // The service never changes a key.
  keys: {
    create: (key, { operator }) => operator.createApiKey(key),
    async end(id, { db, clock }) {
      const { owner_id, revoked_at } = await requireRow(db, 'keys', id);
      if (revoked_at !== null) throw conflict('The key is already revoked.');
      await revokeApiKey(db, { id, ownerId: String(owner_id) }, clock.now());
    },
  },
  webhooks: {
    create: (webhook, { operator }) => operator.createWebhook(defined(webhook)),
    async change(id, changes, context) {
      const { owner_id } = await requireRow(context.db, 'webhooks', id);
      return await changeWebhook(context, { id, ownerId: String(owner_id) }, changes);
    },
    async end(id, { db }) {
      const { owner_id } = await requireRow(db, 'webhooks', id);
      await deleteWebhook(db, { id, ownerId: String(owner_id) });
    },
  },
  signups: {
    async create({ communityId, email, phoneNumber }, { db, clock }) {
      await requireRow(db, 'communities', communityId);
      const result = await signUpForDrop(db, { communityId, email, phoneNumber }, clock.now());
      if (result.kind !== 'signed-up') {
        const [field, message] = SIGNUP_FAILURES[result.kind];
        throw conflict(message, field);
      }
      const { id } = await db
        .selectFrom('drop_signups')
        .select('id')
        .where('drop_slot_id', '=', result.slot.id)
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return { id };
    },
  },
  operators: {
    async create({ userId, role }, { db, clock }) {
      await requireUser(db, userId);
      if (!(await appointOperator(db, { userId, role }, clock.now()))) {
        throw conflict('The user already is an operator. Change the role.', 'userId');
      }
      return { id: userId };
    },
    async change(userId, { role }, { db, clock }) {
      await requireRow(db, 'operators', userId);
      await changeOperatorRole(db, { userId, role }, clock.now());
      return undefined;
    },
    async end(userId, { db }) {
      await requireRow(db, 'operators', userId);
      await removeOperator(db, userId);
    },
  },
};

const SIGNUP_FAILURES = {
  'no-drop': ['communityId', 'The community has no drop that is running or upcoming.'],
  'has-account': ['email', 'The service signs up nobody who has an account. Enter another address.'],
  duplicate: ['email', 'This address is already signed up.'],
  full: ['communityId', 'All slots of the next drop are taken.'],
} as const;

const MEMBERSHIP_REFUSALS: Readonly<Record<string, string>> = {
  renewing:
    'A subscription renews the membership, and would set the end again. Cancel the subscription first.',
  expired: 'The membership has expired. Grant a new one.',
  'no-time': 'Enter an end after the start.',
};

async function changeMembershipOf(
  membershipId: string,
  change: Parameters<typeof changeMembership>[2]['change'],
  { db, clock, operator }: WriteContext,
): Promise<void> {
  const row = await requireRow(db, 'memberships', membershipId);
  const unsubscribed = 'No subscription renews this membership.';
  if (row.community_id === null) {
    // Sellers of products have no such form. The operator grants the membership again.
    if (change.kind !== 'set-end') throw conflict(unsubscribed);
    await operator.grantMembership({
      id: membershipId,
      userId: String(row.user_id),
      productType: row.product_type as Settings<'memberships', 'create'>['productType'],
      ...(row.product_id !== null && { productId: String(row.product_id) }),
      validFrom: Number(row.valid_from),
      validUntil: change.validUntil,
    });
    return;
  }
  const actor = await actingOwner(db, String(row.community_id));
  const result = await changeMembership(db, actor, { membershipId, change, now: clock.now() });
  const message = MEMBERSHIP_REFUSALS[result.kind];
  if (message !== undefined) throw conflict(message, 'validUntil');
  if (result.kind === 'unchanged' && change.kind === 'cancel-subscription') throw conflict(unsubscribed);
}

async function handOver(
  db: Database,
  product: { readonly productId: string; readonly newOwnerId: string },
): Promise<void> {
  await requireUser(db, product.newOwnerId, 'ownerId');
  const { kind } = await handOverProduct(db, product);
  if (kind === 'slug-taken') {
    const message = 'Another product of the new seller has the same slug.';
    throw alreadyExists(`${message} Change one of the two slugs first.`, { productId: message });
  }
}

async function changePlanOf(planId: string, change: PlanChange, { db }: WriteContext): Promise<void> {
  const plan = await requireRow(db, 'plans', planId);
  const isArchived = plan.archived_at !== null;
  // A plan that is archived again keeps the time of its archiving.
  const kept =
    isArchived && typeof change.archivedAt === 'number' ? { archivedAt: Number(plan.archived_at) } : {};
  const actor = await actingOwner(db, String(plan.community_id));
  await changePlan(db, actor, { planId, change: { ...change, ...kept } });
}

async function holderOf(id: string, { db }: WriteContext): Promise<string> {
  return String((await requireRow(db, 'roles', id)).user_id);
}

async function changeRoleOf(id: string, requested: RoleChange, { db, clock }: WriteContext): Promise<void> {
  const { userId } = requested;
  const actor = await actingOwner(db, id.split('~')[0] ?? '', userId);
  const decision = await changeRole(db, actor, requested);
  if (decision?.kind === 'changed') return;
  if (decision?.kind === 'needs-acceptance')
    return await inviteAsOwner(db, actor, { userId, now: clock.now() });
  throw conflict(
    decision?.kind === 'last-owner'
      ? 'A community needs an active owner, and this is the only one. Make another user OWNER first.'
      : 'The role changed meanwhile. Load it again.',
  );
}

async function reserve(
  { userId, pricingPlanId, productId }: Settings<'reservations', 'create'>,
  { db, clock, baseUrl }: WriteContext,
): Promise<CreatedRecord> {
  if ((pricingPlanId === undefined) === (productId === undefined)) {
    throw wrong('pricingPlanId', 'Enter either a plan or a product.');
  }
  await requireRow(db, 'users', userId);
  const offer = await findOfferOf(db, { planId: pricingPlanId ?? null, productId: productId ?? null });
  if (offer === undefined) {
    const field = productId === undefined ? 'pricingPlanId' : 'productId';
    throw wrong(field, 'It does not exist, or it is not for sale.');
  }
  const { subject, paidBy } = offer;
  const path =
    subject.kind === 'plan' ? `/communities/${subject.communityId}` : `/products/${subject.productId}`;
  const back = `${baseUrl}${path}`;
  const buyer = { id: userId };
  const page = { subject, buyer, caller: null, successUrl: back, cancelUrl: back, utmSource: null };
  const secret = await openCheckout(db, page, clock.now());
  const { id } = await db
    .selectFrom('checkout_links')
    .select('reservation_id as id')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirstOrThrow();
  return { id, checkoutUrl: `${baseUrl}${checkoutPath(paidBy, secret)}` };
}

async function requireOpen(db: Database, communityId: string): Promise<void> {
  if ((await findCommunity(db, communityId)) === undefined)
    throw conflict('The community is closed, so nothing in it changes any more.');
}

/** Failure of an input whose fields do not fit together, or name a record that does not fit. */
function wrong(field: string, message: string) {
  return invalidInput(`${field}: ${message}`, { [field]: message });
}

/** Removes fields without a value. */
function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/**
 * Returns an active owner of the community, in whose name the operator changes it. Another user than `besides` comes first.
 *
 * @throws OperatorError `conflict` if the community has no active owner.
 */
async function actingOwner(
  db: Database,
  communityId: string,
  besides?: string,
): Promise<{ communityId: string; userId: string }> {
  await requireOpen(db, communityId);
  const [userId] = await findOwners(db, communityId, besides);
  if (userId !== undefined) return { communityId, userId };
  throw conflict('The community has no active owner, who alone could change this.');
}
