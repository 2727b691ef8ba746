import { setTimeout as wait } from 'node:timers/promises';
import { PATHS } from '@latchkey/contract/constants';
import { type Database, HttpFailure } from '@latchkey/server/extension';
import type { Response } from 'express';
import type { Needs } from '../../services/services.js';
import { type Caller, callerOf } from '../requests/caller-of.js';
import { bytesOf } from '../requests/capture-body.js';
import type { CallSteps, ChangeCall, FindEndpoint, RoundTrip } from '../requests/record-request.js';
import type { DeliveryEffect, FaultEffect } from '../routes/fault.js';
import type { FaultList } from './fault-list.js';

const DRIP_PARTS = 10;

export function changeCalls({ db }: Needs<'db'>, faults: FaultList, findEndpoint: FindEndpoint): ChangeCall {
  return (roundTrip, steps) => {
    // The browser itself sends preflights: they must not use up a fault, or hide its effect from the page.
    if (roundTrip.request.method === 'OPTIONS') return steps.next();
    const endpoint = findEndpoint(roundTrip.request.path);
    const choose = (caller: Caller | undefined) => {
      const fault = faults.choose(endpoint, caller ?? null);
      if (fault === undefined) return steps.next();
      roundTrip.fault = fault.id;
      apply(fault.effect, roundTrip, steps);
    };
    if (!faults.needsCaller(endpoint)) return choose(undefined);
    findCaller(db, roundTrip).then(choose, steps.next);
  };
}

/** The body may contain the client id, so it must have arrived. */
async function findCaller(db: Database, { request, body }: RoundTrip): Promise<Caller | undefined> {
  await body.arrived;
  const text = body.copy.read().kept.toString('utf8');
  return await callerOf(db, { headers: request.headers, url: request.originalUrl, body: text });
}

function apply(
  effect: Exclude<FaultEffect, DeliveryEffect>,
  roundTrip: RoundTrip,
  { next, record }: CallSteps,
): void {
  const { response } = roundTrip;
  switch (effect.kind) {
    case 'latency':
      void wait(effect.ms, undefined, { ref: false }).then(() => next());
      break;
    case 'status':
      // Endpoints that pages call also respond with errors to pages of every origin.
      if (roundTrip.request.path.startsWith('/oauth/') && roundTrip.request.path !== PATHS.authorize) {
        response.set('Access-Control-Allow-Origin', '*');
      }
      next(new HttpFailure(effect.status, 'A fault of the sandbox answers in place of the endpoint.'));
      break;
    case 'reset':
      record();
      reset(response);
      break;
    case 'answer-lost':
      changeAnswer(response, () => reset(response));
      next();
      break;
    case 'malformed':
      changeAnswer(response, (body) =>
        sendParts(response, [body.subarray(0, Math.floor(body.length / 2))], 0),
      );
      next();
      break;
    case 'drip':
      changeAnswer(response, (body) => sendParts(response, partsOf(body), effect.ms / DRIP_PARTS));
      next();
      break;
  }
}

/** Buffers the handler's whole response and calls `change`, which sends the response to the caller. */
function changeAnswer(response: Response, change: (body: Buffer) => unknown): void {
  const { write, end } = response;
  const chunks: Buffer[] = [];
  const hold = (chunk: unknown, encoding: unknown) => {
    const bytes = bytesOf(chunk, encoding);
    if (bytes !== undefined) chunks.push(Buffer.from(bytes));
  };
  response.write = ((chunk: unknown, encoding: unknown) => {
    hold(chunk, encoding);
    return true;
  }) as typeof response.write;
  response.end = ((chunk: unknown, encoding: unknown) => {
    hold(chunk, encoding);
    response.write = write;
    response.end = end;
    change(Buffer.concat(chunks));
    return response;
  }) as typeof response.end;
}

async function sendParts(response: Response, parts: readonly Buffer[], pauseMs: number): Promise<void> {
  const bytes = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (!response.headersSent && bytes > 0) response.setHeader('Content-Length', bytes);
  for (const part of parts) {
    if (pauseMs > 0) await wait(pauseMs, undefined, { ref: false });
    if (response.destroyed) return;
    response.write(part);
  }
  response.end();
}

function partsOf(body: Buffer): readonly Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / DRIP_PARTS));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, index) =>
    body.subarray(index * size, (index + 1) * size),
  );
}

function reset({ socket }: Response): void {
  socket?.resetAndDestroy();
}
