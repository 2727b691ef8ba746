import type * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { keyRecords } from '../api-keys/api-key.resource.js';
import { reservationRecords } from '../checkout/checkouts.js';
import { clientRecords } from '../clients/client.resource.js';
import { communityRecords, roleRecords } from '../communities/community.resource.js';
import { dropRecords, signupRecords } from '../drops/drop.resource.js';
import type { Records } from '../fields/define-records.js';
import { invitationRecords } from '../invitations/invitation.resource.js';
import { membershipRecords } from '../memberships/membership.resource.js';
import { operatorRecords } from '../operator-roles/operator-roles.js';
import { planRecords } from '../plans/plan.resource.js';
import { productRecords } from '../products/product.resource.js';
import { userRecords } from '../users/user.resource.js';
import { webhookRecords } from '../webhooks/registration/webhook.resource.js';

/** All kinds, in the order in which a record lists what belongs to it. */
export const RECORDS = {
  users: userRecords,
  communities: communityRecords,
  memberships: membershipRecords,
  plans: planRecords,
  roles: roleRecords,
  invitations: invitationRecords,
  drops: dropRecords,
  reservations: reservationRecords,
  products: productRecords,
  clients: clientRecords,
  keys: keyRecords,
  webhooks: webhookRecords,
  signups: signupRecords,
  operators: operatorRecords,
};

/** Kind of records, as it appears in addresses and commands. */
export type RecordKind = keyof typeof RECORDS;

export const RECORD_KINDS = Object.keys(RECORDS).sort() as readonly RecordKind[];

export function recordKind(kind: RecordKind): Records {
  return RECORDS[kind] as unknown as Records;
}

export type Created<Kind extends RecordKind> = z.output<(typeof RECORDS)[Kind]['create']['body']>;

export type Changed<Kind extends RecordKind> = z.output<
  NonNullable<(typeof RECORDS)[Kind]['change']>['body']
>;

/** Transaction of a write, and the services that act in it. */
export type WriteContext = Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'serviceNames' | 'webhookPolicy'>;

/** A new record. Any secrets among the other fields are shown only this once. */
export interface CreatedRecord {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** What a change returns: the secret of a client or of a webhook. */
export interface NewSecrets {
  readonly clientSecret?: string;
  readonly secret?: string;
}

/** How records of a kind are written: by the service's own operations, so its rules apply and its events are sent. */
interface Writes<Kind extends RecordKind> {
  /** @param secret the record's secret, if the kind has one. Default: a new one. */
  create(input: Created<Kind>, context: WriteContext, secret?: string): Promise<CreatedRecord>;
  /** Returns fields for the caller, such as a new secret, or nothing. */
  change?(id: string, changes: Changed<Kind>, context: WriteContext): Promise<NewSecrets | undefined>;
  end?(id: string, context: WriteContext): Promise<unknown>;
}

export type RecordWrites<Kind extends RecordKind = RecordKind> = { readonly [One in Kind]: Writes<One> };
