import { describe, expect, it } from 'vitest';
import { checkSchedules } from './check-schedules.ts';
import { loadKit } from './kit-module.ts';
import { PLANTED_MISTAKES, PLANTED_SITE_MISTAKES } from './mutations.ts';
import { runSite } from './site-simulation.ts';
import { runTabs } from './tabs-simulation.ts';
import { loadWidget } from './widget-module.ts';

describe('simulation of the tabs of a browser', { timeout: 120_000 }, () => {
  it.for(PLANTED_MISTAKES)('finds that $name', async ({ invariant, mutation, seed }) => {
    const load = await loadWidget(mutation);
    const options = { load, storage: 'local', hasLocks: mutation !== undefined } as const;
    const failed = await checkSchedules((schedule) => runTabs(schedule, options), {
      ...{ schedules: 400, seed, shrinks: false },
    });
    expect(failed?.invariant).toBe(invariant);
  });
});

describe('simulation of a site', { timeout: 240_000 }, () => {
  it.for(PLANTED_SITE_MISTAKES)('finds that $name', async ({ invariant, seed, sessions, kit, widget }) => {
    const modules = { loadWidget: await loadWidget(widget), loadKit: await loadKit(kit) };
    const hasLock = kit !== undefined || widget !== undefined;
    const failed = await checkSchedules((schedule) => runSite(schedule, { ...modules, sessions, hasLock }), {
      ...{ schedules: 60, seed, shrinks: false },
    });
    expect(failed?.invariant).toBe(invariant);
  });
});
