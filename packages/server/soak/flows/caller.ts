import { setTimeout as pause } from 'node:timers/promises';
import { fetchAsHost } from '../../../../scripts/fetch-as-host.mjs';
import type { CallEntry, Operation } from '../log/log-entries.ts';
import type { Random } from '../log/random.ts';
import { BASE_URL } from '../world/processes.ts';
import { SEED } from '../world/seed.ts';
import type { World } from '../world/world.ts';

/** Milliseconds without a response after which a caller gives up. */
const TIMEOUT_MS = 20_000;
const RETRY_PAUSE_MS = 150;

/** Response as a caller needs it. */
export interface Reply {
  status: number | null;
  body: Record<string, unknown>;
  headers: Headers;
  error?: string;
}

/** A request, and what the log states about it. */
export interface Call {
  op: Operation;
  subject: string;
  input: Record<string, unknown>;
  path: string;
  method?: string;
  key?: boolean;
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  /** Returns what the log states about a response, without secrets. */
  output?(reply: Reply): Record<string, unknown>;
}

/** Sends logged requests to the processes in turn, as a proxy in front of them would. */
export interface Caller {
  readonly random: Random;
  readonly world: World;
  readonly signal: AbortSignal;
  /** Sends one request. */
  call(call: Call): Promise<Reply>;
  /** Repeats a request until its result is known, or the run ends. */
  settle(call: Call): Promise<Reply>;
  /** Sends a request that the log leaves out, such as one of a sign-in's pages. */
  send(path: string, init?: RequestInit, index?: number): Promise<Reply>;
}

/** Creates a caller. Its random choices are its own. */
export function createCaller(world: World, random: Random, signal: AbortSignal): Caller {
  const anyProcess = () => random.pick(world.processes.serving());
  const send: Caller['send'] = async (path, init = {}, index = anyProcess()) => {
    try {
      const response = await fetchAsHost(world.processes.address(index), BASE_URL, path, {
        ...init,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: bodyOf(text) };
    } catch (error) {
      return {
        status: null,
        headers: new Headers(),
        body: {},
        error: String((error as Error).cause ?? error),
      };
    }
  };
  const call: Caller['call'] = async ({ op, subject, input, output, path, ...request }) => {
    const sent = Date.now();
    const reply = await send(path, initOf(request));
    const entry: CallEntry = {
      kind: 'call',
      op,
      subject,
      sent,
      done: Date.now(),
      input,
      status: reply.status,
    };
    if (reply.error !== undefined) entry.error = reply.error;
    if (output !== undefined && reply.status !== null) entry.output = output(reply);
    world.log.append(entry);
    return reply;
  };
  return {
    random,
    world,
    signal,
    call,
    send,
    async settle(request) {
      for (;;) {
        const reply = await call(request);
        if (reply.status !== null && reply.status < 500) return reply;
        if (signal.aborted) return reply;
        await pause(RETRY_PAUSE_MS);
      }
    },
  };
}

function initOf({
  method,
  key,
  token,
  json,
  form,
}: Pick<Call, 'method' | 'key' | 'token' | 'json' | 'form'>): RequestInit {
  const headers: Record<string, string> = {};
  if (key) headers.authorization = `Bearer ${SEED.apiKey}`;
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  if (json !== undefined) headers['content-type'] = 'application/json';
  const body = json === undefined ? form && new URLSearchParams(form) : JSON.stringify(json);
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, ...(body && { body }) };
}

function bodyOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return { text };
  }
}
