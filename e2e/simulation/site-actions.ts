import type { Driver } from './driver.ts';
import type { KitProcess } from './kit-process.ts';
import type { Action } from './schedule.ts';
import type { SiteRules } from './site-invariants.ts';
import type { SiteProcesses } from './site-processes.ts';
import type { SiteService } from './site-service.ts';
import type { SiteVisitor } from './site-visitor.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Steps of a process's clock, in milliseconds. */
const CLOCK_STEPS = [-3 * SECOND, 3 * SECOND, -10 * MINUTE, 10 * MINUTE, 2 * 60 * MINUTE];

export interface SiteWorld {
  driver: Driver;
  service: SiteService;
  rules: SiteRules;
  processes: SiteProcesses;
  visitor: SiteVisitor;
  random: () => number;
  /** Lets time pass with its timers. */
  pass(ms: number): Promise<void>;
}

/** Steps of the visitor on the site's own pages. */
export function visitActions(world: SiteWorld): Action[] {
  return [
    { name: 'open the page for members', weight: 6, run: () => world.visitor.visit() },
    {
      name: 'open the page for members while the network works',
      weight: 4,
      run: () => visitDelivering(world),
    },
  ];
}

/** Step of the visitor who comes back to the page for members. */
export function returnAction(world: SiteWorld): Action {
  return { name: 'open the page for members 80 s later', weight: 4, run: () => returnLater(world) };
}

/** Steps of the service: it revokes tokens, ends memberships, and reports them to a process. */
export function serviceActions(world: SiteWorld): Action[] {
  const { service, rules, processes } = world;
  const revoke = {
    name: 'revoke all tokens at the service',
    weight: 2,
    run: async () => {
      await service.revokeAll();
      rules.revokeAll(service.grants);
    },
  };
  const revokeAndReturn = {
    name: 'revoke all tokens, and open the page for members 80 s later',
    weight: 2,
    run: async () => {
      await visitDelivering(world);
      await revoke.run();
      await returnLater(world);
    },
  };
  const outage = {
    name: 'wait 3540 s, and open the page for members while the service is unreachable',
    weight: 2,
    run: () => returnDuringOutage(world),
  };
  const sub = rules.users.at(-1);
  if (sub === undefined || !service.namesGrants) return [revoke, revokeAndReturn, outage];
  return [
    revoke,
    revokeAndReturn,
    outage,
    ...membershipActions(world, sub),
    ...processes.list.flatMap((process) => webhookActions(world, process, sub)),
  ];
}

/** Steps of the clock of a process. */
export function clockAction({ rules, random }: SiteWorld, process: KitProcess): Action {
  const step = CLOCK_STEPS[Math.floor(random() * CLOCK_STEPS.length)] ?? 0;
  return {
    name: `clock of ${process.name} ${step / SECOND} s`,
    weight: 1,
    run: () => {
      process.aheadMs += step;
      rules.stepClock(step);
    },
  };
}

function membershipActions(world: SiteWorld, sub: string): Action[] {
  const { service, rules } = world;
  const isMember = service.isMember(sub);
  const change = () => {
    service.setMember(sub, !isMember);
    rules.setMember(sub, !isMember);
  };
  const endAndReturn = {
    name: `end the membership of ${sub}, and open the page for members 80 s later`,
    weight: 2,
    run: async () => {
      await visitDelivering(world);
      change();
      await returnLater(world);
    },
  };
  return [
    { name: `${isMember ? 'end' : 'renew'} the membership of ${sub}`, weight: 2, run: change },
    ...(isMember ? [endAndReturn] : []),
  ];
}

function webhookActions(world: SiteWorld, process: KitProcess, sub: string): Action[] {
  const { driver, service, rules, processes, visitor } = world;
  const notify = async () => {
    const isActive = service.isMember(sub);
    processes.notify(process, { sub, isActive }, () => {
      if (!isActive && !service.isMember(sub)) rules.notified(process.owner, sub);
    });
    await driver.work();
  };
  const end = () => {
    service.setMember(sub, false);
    rules.setMember(sub, false);
  };
  const endAndReturn = {
    name: `end the membership of ${sub}, webhook to ${process.name}, and open the page for members`,
    weight: 2,
    run: async () => {
      await visitDelivering(world);
      end();
      await notify();
      await visitDelivering(world);
    },
  };
  const endInFlight = {
    name: `end the membership of ${sub} while its answer is in flight, webhook to ${process.name}, and open the page for members`,
    weight: 2,
    run: async () => {
      await world.pass(80 * SECOND);
      visitor.visit();
      await driver.deliverAll({ isHeld: ({ url }) => url.pathname === '/oauth/memberships' });
      end();
      await notify();
      await visitDelivering(world);
    },
  };
  return [
    { name: `webhook about ${sub} to ${process.name}`, weight: 1, run: notify },
    ...(service.isMember(sub) ? [endAndReturn, endInFlight] : []),
  ];
}

async function visitDelivering({ visitor, driver }: SiteWorld): Promise<void> {
  visitor.visit();
  await driver.deliverAll();
}

/** Opens the page for members when the tokens have to be renewed, and no request of a process reaches the service. */
async function returnDuringOutage({ visitor, driver, processes, pass }: SiteWorld): Promise<void> {
  await pass(59 * MINUTE);
  visitor.visit();
  await driver.deliverAll({ isLost: ({ owner }) => processes.owns(owner) });
}

/** Opens the page for members after a time that is longer than the kit's cache. */
async function returnLater(world: SiteWorld): Promise<void> {
  await world.pass(80 * SECOND);
  await visitDelivering(world);
}
