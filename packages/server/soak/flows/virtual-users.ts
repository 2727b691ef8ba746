import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../log/random.ts';
import type { World } from '../world/world.ts';
import { type Caller, createCaller } from './caller.ts';
import { signUp } from './drops.ts';
import { authorize, createAccount, readSomething, refresh, revoke, signOutEverywhere } from './grants.ts';
import { checkMessenger, createMember, type Member, provision, repeatNewestOrder } from './member.ts';
import { buyProduct, readOwnership, type Shopper } from './products.ts';
import { reportCharge } from './provider-events.ts';
import { buy, inviteLink } from './purchases.ts';
import { createSeller, type Seller } from './seller.ts';

/** Milliseconds between two operations of one loop. */
const THINK_MS = { min: 20, max: 250 };

/** Number of requests at once when the final state is read. */
const READERS = 8;

export interface VirtualUsersOptions {
  world: World;
  random: Random;
  /** Number of members. Each runs three loops: writes, tokens and reads. Fewer loops buy plans, buy products and sign up. */
  members: number;
  /** Part of every address, so that runs on one database do not meet. */
  seed: number;
  signal: AbortSignal;
}

/** The virtual users of a soak. */
export interface VirtualUsers {
  /** Resolves when all loops have ended after the signal. */
  readonly ended: Promise<void>;
  /** Reads the final state through the API and the pages: memberships, invite links, products and drop signups. */
  readBack(): Promise<void>;
}

/** A loop of one virtual user: one operation, chosen at random. */
type Step = (caller: Caller) => Promise<void>;

/** Starts all virtual users. */
export function startVirtualUsers(options: VirtualUsersOptions): VirtualUsers {
  const { world, random, members: count, seed, signal } = options;
  const seller = createSeller();
  const members = Array.from({ length: count }, (_, number) => createMember(number, seed));
  const buyers: string[] = [];
  const signups: string[] = [];
  const shoppers: Shopper[] = [];
  const reported = new Set<string>();
  const steps = [
    ...members.flatMap((member) => [writesOf(member, seller), tokensOf(member), readsOf(member)]),
    ...Array.from({ length: Math.ceil(count / 4) }, (_, number) =>
      purchasesOf(`buyer-${number}`, seed, buyers),
    ),
    ...Array.from({ length: Math.ceil(count / 4) }, (_, number) =>
      productsOf(`shopper-${number}`, seed, shoppers),
    ),
    ...Array.from({ length: Math.ceil(count / 4) }, (_, number) =>
      signupsOf(`visitor-${number}`, seed, signups),
    ),
  ];
  steps.push((caller) => reportCharge(caller, reported));
  const loops = steps.map((step, part) => loop(step, createCaller(world, random.fork(100 + part), signal)));
  return {
    ended: Promise.all(loops).then(() => undefined),
    async readBack() {
      const { signal: never } = new AbortController();
      const reads: Step[] = [
        ...members.map((member) => async (caller: Caller) => {
          await repeatNewestOrder(caller, member);
          await checkMessenger(caller, member);
        }),
        ...buyers.map((buyer) => async (caller: Caller) => {
          await inviteLink(caller, buyer);
        }),
        ...shoppers.map((shopper) => (caller: Caller) => readOwnership(caller, shopper)),
        ...signups.map((email) => (caller: Caller) => signUp(caller, email)),
      ];
      // An hour leaves thousands of them.
      const readers = Array.from({ length: READERS }, async (_, reader) => {
        const caller = createCaller(world, random.fork(80 + reader), never);
        for (let step = reads.pop(); step !== undefined; step = reads.pop()) await step(caller);
      });
      await Promise.all(readers);
    },
  };
}

async function loop(step: Step, caller: Caller): Promise<void> {
  while (!caller.signal.aborted) {
    await step(caller);
    await pause(caller.random.between(THINK_MS.min, THINK_MS.max));
  }
}

function writesOf(member: Member, seller: Seller): Step {
  return async (caller) => {
    if (caller.random.chance(0.2)) await seller.endNow(caller, member);
    else await provision(caller, member);
  };
}

function readsOf(member: Member): Step {
  return (caller) => checkMessenger(caller, member);
}

function tokensOf(member: Member): Step {
  const account = createAccount(member);
  return async (caller) => {
    const draw = caller.random.next();
    if (account.pairs.length === 0 || draw < 0.1) await authorize(caller, account);
    else if (draw < 0.4) await refresh(caller, account);
    else if (draw < 0.5) await revoke(caller, account);
    else if (draw < 0.53) await signOutEverywhere(caller, account);
    else await readSomething(caller, account);
  };
}

function purchasesOf(name: string, seed: number, buyers: string[]): Step {
  let purchases = 0;
  return async (caller) => {
    purchases += 1;
    const buyer = `${name}-${purchases}.${seed}`;
    buyers.push(buyer);
    await buy(caller, buyer, `${buyer}@soak.example`);
  };
}

function productsOf(name: string, seed: number, shoppers: Shopper[]): Step {
  let purchases = 0;
  return async (caller) => {
    purchases += 1;
    const shopper: Shopper = {
      name: `${name}-${purchases}`,
      email: `${name}-${purchases}.${seed}@soak.example`,
    };
    shoppers.push(shopper);
    await buyProduct(caller, shopper);
  };
}

function signupsOf(name: string, seed: number, signups: string[]): Step {
  let visitors = 0;
  return async (caller) => {
    const isRepeat = visitors > 0 && caller.random.chance(0.3);
    if (!isRepeat) visitors += 1;
    const email = `${name}-${visitors}.${seed}@soak.example`;
    if (!isRepeat) signups.push(email);
    await signUp(caller, email);
  };
}
