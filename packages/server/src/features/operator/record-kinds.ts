import type * as z from 'zod';
import type { Needs } from '../../app/services.js';
import { keyRecords } from '../api-keys/api-key.resource.js';
import { reservationRecords } from '../checkout/reservation.resource.js';
import { clientRecords } from '../clients/client.resource.js';
import { communityRecords, roleRecords } from '../communities/community.resource.js';
import { dropRecords, signupRecords } from '../drops/drop.resource.js';
import type { Records } from '../fields/define-records.js';
import { membershipRecords } from '../memberships/membership.resource.js';
import { operatorRecords } from '../operator-roles/operator.resource.js';
import { planRecords } from '../plans/plan.resource.js';
import { productRecords } from '../products/product.resource.js';
import { userRecords } from '../users/user.resource.js';
import { webhookRecords } from '../webhooks/registration/webhook.resource.js';

/** All kinds. Those that belong to a record are listed with it in this order. */
export const RECORDS = {
  users: userRecords,
  communities: communityRecords,
  memberships: membershipRecords,
  plans: planRecords,
  roles: roleRecords,
  drops: dropRecords,
  reservations: reservationRecords,
  products: productRecords,
  clients: clientRecords,
  keys: keyRecords,
  webhooks: webhookRecords,
  signups: signupRecords,
  operators: operatorRecords,
};

/** Kind of records, as addresses and commands name it. */
export type RecordKind = keyof typeof RECORDS;

export const RECORD_KINDS = Object.keys(RECORDS).sort() as readonly RecordKind[];

/** Settings of a kind, for what all kinds have. */
export function recordKind(kind: RecordKind): Records {
  return RECORDS[kind] as unknown as Records;
}

/** Checked settings of a new record of a kind. */
export type Created<Kind extends RecordKind> = z.output<(typeof RECORDS)[Kind]['create']['body']>;

/** Checked changes of a record of a kind. */
export type Changed<Kind extends RecordKind> = z.output<
  NonNullable<(typeof RECORDS)[Kind]['change']>['body']
>;

/** Transaction of a write, and the services that act in it. */
export type WriteContext = Needs<'baseUrl' | 'clock' | 'db' | 'logger' | 'serviceNames' | 'webhookPolicy'>;

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

/** How the records of a kind are written: by the service's own operations, so that its rules hold and its events are sent. */
interface Writes<Kind extends RecordKind> {
  /** @param secret The record's secret, where it has one. Default: a new one. */
  create(input: Created<Kind>, context: WriteContext, secret?: string): Promise<CreatedRecord>;
  /** Returns fields for the caller, such as a new secret. Nothing without any. */
  change?(id: string, changes: Changed<Kind>, context: WriteContext): Promise<NewSecrets | undefined>;
  end?(id: string, context: WriteContext): Promise<unknown>;
}

export type RecordWrites<Kind extends RecordKind = RecordKind> = { readonly [One in Kind]: Writes<One> };
