import type { Report } from '../../report/report.js';
import { callerReport } from '../checks/caller-report.js';
import {
  type ScriptedService,
  type ScriptedServiceOptions,
  startScriptedService,
} from '../service/scripted-service.js';
import { CONTROL_PATH, controlAnswer } from './control-page.js';
import { passiveRecording } from './passive-recording.js';
import { PASSIVE_SCRIPTS } from './passive-scripts.js';

/** A scripted service for a client that a person uses by hand. */
export interface PassiveService {
  readonly url: string;
  /** Address of the page on which the person selects scripts. */
  readonly controlUrl: string;
  /** Selects a script by its name. Returns false if there is none. */
  select(script: string): boolean;
  /** Judges what was observed so far. */
  report(): Report;
  close(): Promise<void>;
}

/** Names of the scripts that a person can select. */
export const PASSIVE_SCRIPT_NAMES: readonly string[] = PASSIVE_SCRIPTS.map(({ name }) => name);

/** Starts a service that only observes. A rule that was not exercised is not observed. */
export async function startPassiveService(
  options: Omit<ScriptedServiceOptions, 'otherPath'> = {},
): Promise<PassiveService> {
  const startedAt = Date.now();
  const report = () => callerReport(passiveRecording(service), { profile: { name: 'client' }, startedAt });
  const service: ScriptedService = await startScriptedService({
    ...options,
    otherPath: (request) => controlAnswer(request, service, () => report().results),
  });
  return {
    url: service.url,
    controlUrl: service.url + CONTROL_PATH,
    select(name) {
      const script = PASSIVE_SCRIPTS.find((candidate) => candidate.name === name);
      script?.apply(service);
      return script !== undefined;
    },
    report,
    close: () => service.close(),
  };
}
