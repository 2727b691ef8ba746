import { execFile } from 'node:child_process';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { World } from '../world/world.ts';
import { argumentsOf, type Version } from './versions.ts';

const MIGRATE = new URL('migrate-process.mjs', import.meta.url);
/** Load between two steps, in milliseconds. */
const OBSERVE_MS = 500;

/** Results of a rolling upgrade. */
export interface UpgradeReport {
  /** Migrations that the next version applied before its first process started. */
  expanded: string[];
  /** Error of the contract migrations while a process of the current version ran. */
  tooEarly: string;
  contracted: string[];
  /** Error of a process of the current version after the contract migrations. */
  refused: string;
}

/** Upgrades all processes, goes back with the last one, upgrades it again, and runs the contract migrations. */
export async function upgradeAll({ processes, database }: World): Promise<UpgradeReport> {
  const places = Array.from({ length: processes.size }, (_, index) => index);
  const last = processes.size - 1;
  await pause(OBSERVE_MS);
  const { applied: expanded } = await migrate(database, 'next');
  await pause(OBSERVE_MS);
  for (const index of places) {
    await processes.replace(index, 'next');
    await pause(OBSERVE_MS);
  }
  await processes.replace(last, 'current');
  await pause(OBSERVE_MS);
  const { error: tooEarly } = await migrate(database, 'next', { contract: true });
  await processes.replace(last, 'next');
  await pause(OBSERVE_MS);
  const { applied: contracted } = await migrate(database, 'next', { contract: true });
  await pause(OBSERVE_MS);
  const { error: refused } = await migrate(database, 'current');
  return { expanded, tooEarly, contracted, refused };
}

async function migrate(
  database: string,
  version: Version,
  { contract = false }: { contract?: boolean } = {},
): Promise<{ applied: string[]; error: string }> {
  const env = { ...process.env, DATABASE: database, CONTRACT: String(contract) };
  const running = promisify(execFile)(process.execPath, [...argumentsOf(version), MIGRATE.pathname], { env });
  return await running.then(
    ({ stdout }) => ({ applied: JSON.parse(stdout) as string[], error: '' }),
    (error: { stderr?: string }) => ({ applied: [], error: error.stderr ?? String(error) }),
  );
}
