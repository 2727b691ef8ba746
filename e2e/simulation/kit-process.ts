import { createCipheriv, createDecipheriv, webcrypto } from 'node:crypto';
import type { LatchkeyOptions } from '@latchkey/express';
import express from 'express';
import { type InjectedRequest, type InjectedResponse, inject } from './inject.ts';
import type { LoadKit } from './kit-module.ts';
import { simulatedAbortSignal } from './simulated-abort-signal.ts';
import type { VirtualTime } from './virtual-time.ts';

/** Signing secret of the site's webhook. */
export const WEBHOOK_SECRET = 'ab'.repeat(32);

const TAG_BYTES = 16;

/** Process of the site's backend: an Express app with the kit. */
export interface KitProcess {
  readonly name: string;
  /** Identifies the process as a sender of requests, an owner of timers and a user of the store. */
  readonly owner: object;
  /** Milliseconds by which its clock is ahead. */
  aheadMs: number;
  handle(request: InjectedRequest, respond: (response: InjectedResponse) => void): void;
}

export interface ProcessOptions {
  name: string;
  load: LoadKit;
  time: VirtualTime;
  random: () => number;
  /** Creates the options of `latchkey()`, without its clock. */
  options(owner: object): LatchkeyOptions;
}

/** Starts a process. It keeps nothing of an earlier one. */
export function startKitProcess({ name, load, time, random, options }: ProcessOptions): KitProcess {
  const owner = { name };
  const process = { name, owner, aheadMs: 0 };
  const now = () => time.now() + process.aheadMs;
  const start = time.now();
  const setTimer = (callback: () => void, ms = 0) =>
    // Callers of the kit call `unref` on timers.
    Object.assign(time.setTimer(owner, callback, ms), { unref() {}, ref() {} });
  const { latchkey } = load({
    setTimeout: setTimer,
    clearTimeout: time.clearTimer,
    AbortSignal: simulatedAbortSignal(owner, time),
    // Steps of the clock do not affect it.
    performance: { now: () => time.now() - start },
    Date: dateOf(now),
    Math: Object.assign(Object.create(Math), { random }),
    crypto: processCrypto(),
    console: { info() {}, warn() {}, error() {} },
    fetch: () => Promise.reject(new TypeError('The kit must use the fetch of its options.')),
    simulatedPause: (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timer = setTimer(() => resolve(value), ms);
        signal?.addEventListener('abort', () => {
          time.clearTimer(timer);
          reject(signal.reason);
        });
      }),
  });
  const auth = latchkey({
    checkClientAtStart: false,
    logger: { warn() {}, error() {} },
    ...options(owner),
    clock: { now },
  });
  const app = express();
  app.set('env', 'test');
  app.post('/hooks', auth.webhooks({ secret: WEBHOOK_SECRET, other: () => {} }));
  app.use(auth.router);
  const gate = auth.requireMembership({ productType: 'community', from: 'any-seller' });
  app.get('/members', gate, (request, response) => {
    response.json({ user: auth.visitor(request).user });
  });
  return Object.assign(process, {
    handle: (request: InjectedRequest, respond: (response: InjectedResponse) => void) =>
      inject(app, request, respond),
  });
}

function dateOf(now: () => number) {
  return class extends Date {
    constructor(...parameters: [] | [number | string]) {
      super(...((parameters.length === 0 ? [now()] : parameters) as [number]));
    }
    static override now = now;
  };
}

/** AES-GCM without threads, whose results would arrive at any time. */
function processCrypto() {
  const bytesOf = new WeakMap<object, Uint8Array>();
  const parametersOf = (key: object) => bytesOf.get(key) ?? new Uint8Array();
  interface GcmParameters {
    iv: Uint8Array;
    additionalData: Uint8Array;
  }
  return {
    getRandomValues: webcrypto.getRandomValues.bind(webcrypto),
    subtle: {
      async importKey(...parameters: Parameters<typeof webcrypto.subtle.importKey>) {
        const key = await webcrypto.subtle.importKey(...parameters);
        bytesOf.set(key, parameters[1] as Uint8Array);
        return key;
      },
      async encrypt({ iv, additionalData }: GcmParameters, key: object, data: Uint8Array) {
        const cipher = createCipheriv('aes-256-gcm', parametersOf(key), iv).setAAD(additionalData);
        return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
      },
      async decrypt({ iv, additionalData }: GcmParameters, key: object, data: Uint8Array) {
        const cut = data.length - TAG_BYTES;
        const decipher = createDecipheriv('aes-256-gcm', parametersOf(key), iv)
          .setAAD(additionalData)
          .setAuthTag(data.subarray(cut));
        return Buffer.concat([decipher.update(data.subarray(0, cut)), decipher.final()]);
      },
    },
  };
}
