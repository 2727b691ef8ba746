// Runs a soak and checks its log: npm run soak -- --minutes 60 --seed 7 [--engine postgres|sqlite|both] [--members 6] [--logs folder]
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runSoak } from './soak.ts';
import type { Engine } from './world/world.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'both' },
    members: { type: 'string', default: '6' },
    logs: { type: 'string', default: 'test-results/soak' },
  },
});
const [minutes, seed, members] = [values.minutes, values.seed, values.members].map(positive) as [
  number,
  number,
  number,
];
const engines: Record<string, Engine[]> = {
  postgres: ['postgres'],
  sqlite: ['sqlite'],
  both: ['postgres', 'sqlite'],
};
const chosen = engines[values.engine];
if (chosen === undefined) throw new Error(`--engine is "${values.engine}". Use postgres, sqlite or both.`);

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

function positive(text: string): number {
  const number = Number(text);
  if (number > 0) return number;
  throw new Error(`"${text}" is not a positive number.`);
}
