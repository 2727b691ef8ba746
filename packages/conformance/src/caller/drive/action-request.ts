import { spawn } from 'node:child_process';
import { isError } from '@latchkey/contract/constants';
import type { ReceivedResponse, RoundTrip, SentRequest } from '../../report/report.js';
import type { ActionName, CallerProfile, ProfileAction } from '../record/caller-profile.js';
import type { ActionOutcome, ActionParameters } from '../record/recording.js';

export type RequestAction = Extract<ProfileAction, { request: string }>;

/** Pages that redirect if they're closed. */
const PAGES: ReadonlySet<ActionName> = new Set(['protectedPage', 'account', 'handledEvents']);

/** Replaces placeholders such as `{orderId}`. Unknown ones stay. */
export function filled(text: string, parameters: ActionParameters): string {
  return text.replaceAll(
    /\{(\w+)\}/g,
    (placeholder, name: string) => (parameters as unknown as Record<string, string>)[name] ?? placeholder,
  );
}

export function actionRequest(
  action: RequestAction,
  { app, parameters }: { app: string; parameters: ActionParameters },
): SentRequest {
  const [method = 'GET', path = '/'] = action.request.split(' ');
  const url = resolved(filled(path, parameters), app);
  const headers = Object.fromEntries(
    Object.entries(action.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  // As from the app's own forms: many apps reject requests that change something without their own origin.
  if (method !== 'GET') headers.origin ??= new URL(url).origin;
  if (action.json !== undefined) {
    const body = JSON.stringify(filledDeep(action.json, parameters));
    return { method, url, headers: { 'content-type': 'application/json', ...headers }, body };
  }
  if (action.form !== undefined) {
    const fields = new URLSearchParams();
    for (const [name, value] of Object.entries(action.form)) fields.set(name, filled(value, parameters));
    const type = 'application/x-www-form-urlencoded';
    return { method, url, headers: { 'content-type': type, ...headers }, body: fields.toString() };
  }
  return { method, url, headers };
}

export function resolved(path: string, app: string): string {
  return path.startsWith('/') ? new URL(`.${path}`, app.endsWith('/') ? app : `${app}/`).href : path;
}

/** If a value is nothing but a placeholder for digits, it becomes a number: `"{messengerUserId}"`. */
function filledDeep(value: unknown, parameters: ActionParameters): unknown {
  if (value === '{messengerUserId}') return Number(parameters.messengerUserId);
  if (typeof value === 'string') return filled(value, parameters);
  if (Array.isArray(value)) return value.map((item) => filledDeep(item, parameters));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [key, filledDeep(field, parameters)]),
  );
}

/** Sends a request without following a redirect. A failed connection is part of the result. */
export async function roundTripOf(
  request: SentRequest,
  timeoutMs: number,
  received?: (response: Response) => Promise<void>,
): Promise<RoundTrip> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(request.url, { ...request, redirect: 'manual', signal });
    await received?.(response);
    const headers = Object.fromEntries([...response.headers].filter(([name]) => name !== 'set-cookie'));
    return { request, response: { status: response.status, headers, body: await response.text() } };
  } catch (error) {
    const { cause, message } = error as Error;
    return { request, failure: isError(cause) ? cause.message : message };
  }
}

export function outcomeOfResponse(
  name: ActionName,
  { success, pattern }: ProfileAction,
  response: ReceivedResponse | undefined,
): ActionOutcome {
  const { status, headers, body: text = '' } = response ?? {};
  const limit = PAGES.has(name) ? 300 : 400;
  const hasStatus =
    status !== undefined && (success?.status?.includes(status) ?? (status >= 200 && status < limit));
  const isSuccess = hasStatus && (success?.text === undefined || text.includes(success.text));
  return {
    kind: isSuccess ? 'success' : 'failure',
    status,
    exitCode: undefined,
    location: headers?.location,
    text: extracted(text, pattern),
  };
}

export function outcomeOfCommand(
  { success, pattern }: ProfileAction,
  { exitCode, output }: Awaited<ReturnType<typeof runCommand>>,
): ActionOutcome {
  const isSuccess = exitCode === 0 && (success?.text === undefined || output.includes(success.text));
  const kind = isSuccess ? 'success' : 'failure';
  const text = extracted(output, pattern);
  return { kind, status: undefined, exitCode, location: undefined, text };
}

function extracted(text: string, pattern: string | undefined): string {
  return pattern === undefined ? text : (new RegExp(pattern).exec(text)?.[1] ?? '');
}

export function appOf({ app }: Pick<CallerProfile, 'app'>): string {
  if (app === undefined)
    throw new Error('app: missing. Actions with a request need the base URL of the app.');
  return app;
}

const OUTPUT_MAX_CHARACTERS = 200_000;

export function runCommand(
  command: string,
  { environment, timeoutMs = 600_000 }: { environment: Record<string, string>; timeoutMs?: number },
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, {
      shell: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
    });
    const add = (chunk: Buffer) => {
      if (output.length < OUTPUT_MAX_CHARACTERS) output += chunk.toString('utf8');
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    child.on('error', (error) => resolve({ exitCode: 127, output: error.message }));
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}
