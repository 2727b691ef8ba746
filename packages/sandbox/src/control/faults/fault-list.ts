import { randomNumbers } from '../../scenario/random-numbers.js';
import type { Needs } from '../../services/services.js';
import { parseInput, unknown } from '../access/control-failure.js';
import type { Caller } from '../requests/caller-of.js';
import { namesOf } from '../requests/request-log.js';
import {
  type DeliveryEffect,
  type Fault,
  type FaultEffect,
  type FaultInput,
  faultInput,
  isDeliveryEffect,
} from '../routes/fault.js';

interface ChosenFault<Effect extends FaultEffect> {
  readonly id: string;
  readonly effect: Effect;
}

export class FaultList {
  #active: { fault: Fault; readonly random: () => number }[] = [];
  #last = 0;
  readonly #hub: Needs<'hub'>['hub'];

  constructor({ hub }: Needs<'hub'>) {
    this.#hub = hub;
  }

  /** Adds a fault. Older faults come first. */
  add(input: FaultInput): Fault {
    this.#last += 1;
    const parsed = parseInput(faultInput, input);
    const fault = { ...parsed, id: `fault_${this.#last}`, seen: 0, changed: 0 };
    this.#active.push({ fault, random: randomNumbers(parsed.seed) });
    this.#publish();
    return fault;
  }

  list(): readonly Fault[] {
    return this.#active.map(({ fault }) => fault);
  }

  /** @throws ControlFailure `not_found` if there is no such fault. */
  remove(id: string): void {
    const left = this.#active.filter(({ fault }) => fault.id !== id);
    if (left.length === this.#active.length) throw unknown('fault', id);
    this.#active = left;
    this.#publish();
  }

  clear(): void {
    if (this.#active.length === 0) return;
    this.#active = [];
    this.#publish();
  }

  #publish(): void {
    this.#hub.publish('faults', { faults: this.list() });
  }

  needsCaller(endpoint: string | undefined): boolean {
    return this.#active.some(({ fault }) => fault.client !== undefined && isFor(fault, endpoint));
  }

  /** Returns the first fault that changes a call, and counts it. `undefined` if none does. */
  choose(endpoint: string | undefined, caller: Caller | null) {
    const fault = this.#hit((one) => isFor(one, endpoint) && isFrom(one, caller));
    return fault as ChosenFault<Exclude<FaultEffect, DeliveryEffect>> | undefined;
  }

  /** Returns the first fault that changes a webhook delivery, and counts it. `undefined` if none does. */
  chooseForDelivery(webhookId: string, eventType: string) {
    const fault = this.#hit(
      ({ effect, webhook, event }) =>
        isDeliveryEffect(effect) &&
        (webhook === undefined || webhook === webhookId) &&
        (event === undefined || event === eventType),
    );
    return fault as ChosenFault<DeliveryEffect> | undefined;
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

/** Faults for calls and deliveries, as tests and the control API use them. */
export type Faults = Pick<FaultList, 'add' | 'list' | 'remove' | 'clear'>;

function isFor(fault: Fault, endpoint: string | undefined): boolean {
  if (isDeliveryEffect(fault.effect)) return false;
  return fault.endpoint === undefined || fault.endpoint === endpoint;
}

function isFrom({ client }: Fault, caller: Caller | null): boolean {
  return client === undefined || namesOf(caller).includes(client);
}
