import { callerProfile, startScriptedService, testCaller } from '../../src/caller.js';
import type { Report } from '../../src/index.js';
import type { Fault } from './faults.js';
import { SmallApp, smallProfile } from './small-app.js';

/** Tests a small app with these faults, by all checks of callers. */
export async function reportOf(faults: readonly Fault[]): Promise<Report> {
  const service = await startScriptedService();
  const env = service.environment;
  const isPublic = faults.includes('public-keeps-tokens');
  const app = new SmallApp({ env, faults: new Set(faults), isPublic });
  const profile = callerProfile.parse(smallProfile(await app.start()));
  try {
    return await testCaller({ service, profile, deliverySeconds: 2.5 });
  } finally {
    app.close();
    await service.close();
  }
}

/** Ids of the rules whose checks ended so. */
export function idsOf({ results }: Report, kind: string): string[] {
  return results.filter(({ outcome }) => outcome.kind === kind).map(({ id }) => id);
}
