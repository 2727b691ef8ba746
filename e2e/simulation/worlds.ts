import { loadKit } from './kit-module.ts';
import type { RealService } from './real-service.ts';
import type { Schedule } from './schedule.ts';
import { runSite } from './site-simulation.ts';
import { runTabs } from './tabs-simulation.ts';
import { loadWidget } from './widget-module.ts';

/**
 * Worlds that schedules drive. The first three have tabs with their own tokens in a storage. In the others, tabs use the
 * kit of a site, whose sessions are in sealed cookies or in a shared store.
 */
export const WORLDS = ['local', 'session', 'memory', 'sealed', 'store'] as const;

type WorldName = (typeof WORLDS)[number];

export function isWorldName(name: string): name is WorldName {
  return WORLDS.some((world) => world === name);
}

/** Returns the function that runs one schedule. Without a real service, the token rules answer. */
export async function runWorld(
  world: WorldName,
  real?: RealService,
): Promise<(schedule: Schedule) => Promise<string[]>> {
  const load = await loadWidget();
  const service = real && { createService: real.createService };
  if (world !== 'sealed' && world !== 'store') {
    return (schedule) => runTabs(schedule, { load, storage: world, ...service });
  }
  const site = { loadWidget: load, loadKit: await loadKit(), sessions: world };
  // The sandbox registers the client of the pages as a public one.
  return (schedule) => runSite(schedule, { ...site, ...service, ...(real && { clientSecret: null }) });
}
