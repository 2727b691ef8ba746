import { type RecordedRequest, type Script, startFakeService } from '@latchkey/conformance/scripted-service';
import { onTestFinished } from 'vitest';
import { type ClientOptions, LatchkeyClient } from '../src/index.js';
import { START } from './service.js';

/** A service that fails in ways in which the real one does not. */
export interface ScriptedService {
  readonly url: string;
  /** The requests that arrived, in order. */
  readonly seen: readonly RecordedRequest[];
  /** Delays before retries that the client requested, in milliseconds. No test waits for them. */
  readonly waits: number[];
  client(options?: Partial<ClientOptions>): LatchkeyClient;
}

export const API_KEY = `svc_${'k'.repeat(43)}`;

/** Starts a service that runs one script per request and repeats the last one. Without a script, it never responds. */
export async function scriptedService(...scripts: Script[]): Promise<ScriptedService> {
  const clock = { now: () => START };
  const { url, requests, replyInOrder, close } = await startFakeService({ clock });
  onTestFinished(close);
  replyInOrder(...(scripts.length > 0 ? scripts : ['hang' as const]));
  const waits: number[] = [];
  return {
    url,
    seen: requests,
    waits,
    client: (options) =>
      new LatchkeyClient({
        serviceUrl: url,
        apiKey: API_KEY,
        clock,
        sleep: async (ms) => void waits.push(ms),
        random: () => 0.5,
        ...options,
      }),
  };
}
