import { randomUUID } from 'node:crypto';
import type { Needs } from '../../app/services.js';
import { dropSchema } from '../drops/drop.js';
import { insertDropSlot } from '../drops/drops.js';
import { idField } from '../fields/identifiers.js';
import { alreadyExists } from './operator-error.js';
import { parseInput } from './parse-input.js';
import { requireCommunity } from './require-entity.js';

/** Drop slot to create. */
export interface CreateDropSlot {
  /** @default a new UUID */
  id?: string;
  communityId: string;
  name: string;
  /** @default null: unlimited */
  slots?: number | null;
  /** Milliseconds since the epoch. */
  startsAt: number;
  /**
   * First instant after the drop, in milliseconds since the epoch.
   *
   * @default null: the drop never ends
   */
  endsAt?: number | null;
}

/** Operator calls for drops. */
export interface DropOperator {
  createDropSlot(slot: CreateDropSlot): Promise<{ id: string }>;
}

const createDropSlotSchema = dropSchema.safeExtend({ id: idField });

export function createDropOperator({ db, clock }: Needs<'db' | 'clock'>): DropOperator {
  return {
    async createDropSlot({ id = randomUUID(), communityId, ...input }) {
      const slot = parseInput(createDropSlotSchema, { id, ...input });
      await requireCommunity(db, communityId);
      if (!(await insertDropSlot(db, { ...slot, communityId }, clock.now()))) {
        throw alreadyExists(`Another drop slot has the id ${slot.id}. Use a different one.`);
      }
      return { id: slot.id };
    },
  };
}
