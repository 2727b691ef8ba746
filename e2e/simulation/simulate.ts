// Runs random schedules: npm run simulate -- --schedules 100000 --seed 7 [--world local|session|memory|sealed|store|all]
// [--service rules|sqlite]. Uses every core. A failure names the command that repeats it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { commandOptions, numberOption, rejectOptions } from '../../scripts/command-options.mjs';
import { checkSchedules } from './check-schedules.ts';
import { startRealService } from './real-service.ts';
import { isWorldName, runWorld, WORLDS } from './worlds.ts';

const USAGE = `npm run simulate [-- --schedules 100000] [--seed 7] [--world ${WORLDS.join('|')}|all] [--service rules|sqlite]`;
const { values } = commandOptions(USAGE, {
  options: {
    /** A path repeats one schedule. The schedules after it would fill the memory of this process. */
    schedules: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    world: { type: 'string', default: 'all' },
    service: { type: 'string', default: 'rules' },
    path: { type: 'string' },
  },
});
const chosen = isWorldName(values.world) ? [values.world] : values.world === 'all' ? WORLDS : [];
if (chosen.length === 0)
  rejectOptions(USAGE, `--world: must be ${WORLDS.join(', ')} or all; got "${values.world}".`);
if (!['rules', 'sqlite'].includes(values.service))
  rejectOptions(USAGE, `--service: must be rules or sqlite; got "${values.service}".`);
const usual = values.path === undefined ? '10000' : String(chosen.length);
const wanted = numberOption(USAGE, { name: 'schedules', text: values.schedules ?? usual });
const schedules = Math.ceil(wanted / chosen.length);
const seed = numberOption(USAGE, { name: 'seed', text: values.seed, least: Number.MIN_SAFE_INTEGER });
const print = (line: string) => void process.stdout.write(`${line}\n`);
/** Schedules of one process. V8 keeps a part of each evaluated page, so a long run continues in new processes. */
const BATCH = 200;
if (schedules > BATCH && values.path === undefined) {
  const starts = Array.from({ length: Math.ceil(schedules / BATCH) }, (_, index) => index * BATCH);
  await Promise.all(Array.from({ length: availableParallelism() }, () => runBatches(starts)));
  process.exit();
}
const real = values.service === 'sqlite' ? await startRealService() : undefined;
for (const world of chosen) {
  const startedAt = performance.now();
  const run = await runWorld(world, real);
  const failed = await checkSchedules(run, { schedules, seed, path: values.path });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (failed === undefined) {
    print(`${world}: ${schedules} schedules in ${seconds} s, seed ${seed}. No invariant is violated.`);
    continue;
  }
  print(`${world}: ${failed.message}`);
  const path = failed.path === '' ? '' : ` --path ${failed.path}`;
  print(
    `To repeat: npm run simulate -- --world ${world} --service ${values.service} --seed ${failed.seed}${path}`,
  );
  process.exitCode = 1;
}
await real?.close();

/** Runs one batch after the other, each in a process of its own, until none is left or one failed. */
async function runBatches(starts: number[]): Promise<void> {
  for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
    const own = Math.min(BATCH, schedules - start) * chosen.length;
    const args = ['--schedules', `${own}`, '--seed', `${seed + start}`];
    const child = spawn(
      process.execPath,
      [import.meta.filename, ...args, '--world', values.world, '--service', values.service],
      { stdio: 'inherit' },
    );
    const [status] = await once(child, 'exit');
    if (status === 0) continue;
    process.exitCode = 1;
    starts.length = 0;
  }
}
