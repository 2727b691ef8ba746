import { randomNumbers } from '../../scenario/random-numbers.js';
import { unknown } from '../access/control-failure.js';
import { parseInput } from '../access/parse-input.js';
import type { Caller } from '../requests/caller-of.js';
import { namesOf } from '../requests/request-log.js';
import { type DeliveryEffect, isDeliveryEffect } from './delivery-effect.js';
import { type Fault, type FaultEffect, type FaultInput, faultInput } from './fault.js';

/** Facts of a call that decide which fault changes it. */
export interface FaultyCall {
  readonly endpoint: string | undefined;
  /** Null if the caller is unknown, or no fault depends on it. */
  readonly caller: Caller | null;
}

/** Facts of a webhook delivery that decide which fault changes it. */
export interface FaultyDelivery {
  readonly webhookId: string;
  readonly eventType: string;
}

export interface ChosenFault<Effect extends FaultEffect> {
  readonly id: string;
  readonly effect: Effect;
}

export interface Faults {
  /** Adds a fault. Older faults come first. */
  add(fault: FaultInput): Fault;
  list(): readonly Fault[];
  /** @throws ControlFailure `not_found` if there is no such fault. */
  remove(id: string): void;
  clear(): void;
}

interface ActiveFault {
  fault: Fault;
  readonly random: () => number;
}

/** Active faults, and the choice of the one that changes a call. */
export class FaultList implements Faults {
  #active: ActiveFault[] = [];
  #last = 0;
  readonly #onChange: () => void;

  /** @param onChange called after faults were added or removed. */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  add(input: FaultInput): Fault {
    this.#last += 1;
    const parsed = parseInput(faultInput, input);
    const fault = { ...parsed, id: `fault_${this.#last}`, seen: 0, changed: 0 };
    this.#active.push({ fault, random: randomNumbers(parsed.seed) });
    this.#onChange();
    return fault;
  }

  list(): readonly Fault[] {
    return this.#active.map(({ fault }) => fault);
  }

  remove(id: string): void {
    const left = this.#active.filter(({ fault }) => fault.id !== id);
    if (left.length === this.#active.length) throw unknown('fault', id);
    this.#active = left;
    this.#onChange();
  }

  clear(): void {
    if (this.#active.length === 0) return;
    this.#active = [];
    this.#onChange();
  }

  /** True if a fault of this endpoint depends on the caller. */
  needsCaller(endpoint: string | undefined): boolean {
    return this.#active.some(({ fault }) => fault.client !== undefined && isFor(fault, endpoint));
  }

  /** Returns the first fault that changes a call, and counts it. `undefined` if none does. */
  choose({ endpoint, caller }: FaultyCall): ChosenFault<Exclude<FaultEffect, DeliveryEffect>> | undefined {
    const { id, effect } = this.#hit((fault) => isFor(fault, endpoint) && isFrom(fault, caller)) ?? {};
    return id === undefined || effect === undefined || isDeliveryEffect(effect) ? undefined : { id, effect };
  }

  /** Returns the first fault that changes a webhook delivery, and counts it. `undefined` if none does. */
  chooseForDelivery({ webhookId, eventType }: FaultyDelivery): ChosenFault<DeliveryEffect> | undefined {
    const { id, effect } =
      this.#hit(
        (fault) =>
          isDeliveryEffect(fault.effect) &&
          (fault.webhook === undefined || fault.webhook === webhookId) &&
          (fault.event === undefined || fault.event === eventType),
      ) ?? {};
    return id === undefined || effect === undefined || !isDeliveryEffect(effect) ? undefined : { id, effect };
  }

  #hit(matches: (fault: Fault) => boolean): Fault | undefined {
    for (const active of this.#active) {
      const { fault, random } = active;
      if (!matches(fault)) continue;
      if (fault.times !== undefined && fault.changed >= fault.times) continue;
      const isHit = fault.rate === undefined || random() < fault.rate;
      active.fault = { ...fault, seen: fault.seen + 1, changed: fault.changed + (isHit ? 1 : 0) };
      if (isHit) return active.fault;
    }
    return undefined;
  }
}

function isFor(fault: Fault, endpoint: string | undefined): boolean {
  if (isDeliveryEffect(fault.effect)) return false;
  return fault.endpoint === undefined || fault.endpoint === endpoint;
}

function isFrom({ client }: Fault, caller: Caller | null): boolean {
  return client === undefined || namesOf(caller).includes(client);
}
