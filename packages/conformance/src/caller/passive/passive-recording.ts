import type { Recording } from '../record/recording.js';
import type { ScriptedService } from '../service/scripted-service.js';

/** Recording of a client that is used by hand. */
export function passiveRecording({ url, names, exchanges }: ScriptedService): Recording {
  return {
    ...{ serviceUrl: url, names, exchanges, runs: [], actions: [], developerActions: [] },
    ...{ webhooks: undefined, failureReport: undefined, provisionPlaceholders: [], retryWithinSeconds: 0 },
  };
}
