import type { Driver } from '../drive/driver.js';
import { API_KEY_SCRIPTS } from '../scripts/api-key-scripts.js';

/** Names of the scripts under which a command runs. */
export const RUN_SCRIPT_NAMES: readonly string[] = API_KEY_SCRIPTS.map((create) => create().name);

/** Runs a command that exercises the app once under each script. */
export async function playRun(driver: Driver, isSelected: (script: string) => boolean): Promise<void> {
  if (!driver.has('run')) return;
  const ordinary = await driver.act('run');
  if (ordinary?.outcome.kind !== 'success') return;
  for (const create of API_KEY_SCRIPTS) {
    const script = create();
    if (isSelected(script.name)) await driver.act('run', { script });
  }
}
