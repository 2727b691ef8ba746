// Runs a soak and checks its log: npm run soak -- --minutes 60 --seed 7 [--engine postgres|sqlite|both] [--members 6] [--logs folder]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { commandOptions, numberOption, rejectOptions } from '../../../scripts/command-options.mjs';
import { runSoak } from './soak.ts';
import type { Engine } from './world/world.ts';

const USAGE =
  'npm run soak [-- --minutes 60] [--seed 7] [--engine postgres|sqlite|both] [--members 6] [--logs <folder>]';
const { values } = commandOptions(USAGE, {
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'both' },
    members: { type: 'string', default: '6' },
    logs: { type: 'string', default: 'test-results/soak' },
  },
});
const minutes = numberOption(USAGE, { name: 'minutes', text: values.minutes, least: 0.01, isWhole: false });
const seed = numberOption(USAGE, { name: 'seed', text: values.seed, least: 0 });
const members = numberOption(USAGE, { name: 'members', text: values.members });
const engines: Record<string, Engine[]> = {
  postgres: ['postgres'],
  sqlite: ['sqlite'],
  both: ['postgres', 'sqlite'],
};
const chosen = engines[values.engine];
if (chosen === undefined)
  rejectOptions(USAGE, `--engine: must be postgres, sqlite or both; got "${values.engine}".`);

const print = (line: string) => void process.stdout.write(`${line}\n`);
for (const engine of chosen) {
  const logPath = join(values.logs, `${engine}-${seed}.jsonl`);
  // With both engines, each gets half of the time.
  const durationMs = (minutes * 60_000) / chosen.length;
  print(`Soak on ${engine}, seed ${seed}, ${(durationMs / 60_000).toFixed(1)} minutes. Log: ${logPath}`);
  await runSoak({ engine, seed, durationMs, logPath, members, report: print });
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'check-log.ts'), logPath], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    print(
      `To repeat: npm run soak -- --engine ${engine} --minutes ${minutes / chosen.length} --seed ${seed} --members ${members}`,
    );
    process.exitCode = 1;
  }
}
