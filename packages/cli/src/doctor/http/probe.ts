export interface ResponseLimits {
  /** Milliseconds until a response must be complete. */
  readonly ms: number;
  /** Longest body that is read, in bytes. */
  readonly bytes: number;
}

/** Limits for a service. The body can be longer than any caller of the service accepts. */
const SERVICE_LIMITS: ResponseLimits = { ms: 15_000, bytes: 20_000_000 };

/** Response of the service, or the reason why there is none. */
export type Probe =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** True if the service left the request unanswered until its time was over. */
      readonly isTimeout?: boolean;
    };

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Number of bytes in the body. */
  readonly size: number;
  /** The parsed JSON, or undefined if the body is not JSON. */
  readonly json: unknown;
  readonly text: string;
  /** Local times around the request, in milliseconds since the epoch. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** A request that changes nothing at the service. */
export interface ProbeRequest {
  readonly url: string;
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the limits for a service */
  readonly limits?: ResponseLimits;
}

/** Parts that tests replace. */
export interface ProbeContext {
  readonly fetch: typeof fetch;
  now(): number;
}

/** Sends a GET or OPTIONS request. Follows no redirect, because the target of a redirect must not receive credentials. */
export function sendProbe(context: ProbeContext, request: ProbeRequest): Promise<Probe> {
  const { url, method = 'GET', headers = {}, limits } = request;
  return send(context, {
    url,
    init: { method, headers: { accept: 'application/json', ...headers } },
    limits,
  });
}

/**
 * Sends a form to the token endpoint. The only POST of the doctor. Its client and its token are made up, so the service
 * rejects it.
 */
export function sendMadeUpTokenRequest(
  context: ProbeContext,
  { url, form, origin }: { url: string; form: Readonly<Record<string, string>>; origin: string | undefined },
): Promise<Probe> {
  const headers = { accept: 'application/json', ...(origin === undefined ? {} : { origin }) };
  return send(context, { url, init: { method: 'POST', headers, body: new URLSearchParams(form) } });
}

async function send(
  { fetch: request, now }: ProbeContext,
  {
    url,
    init,
    limits = SERVICE_LIMITS,
  }: { url: string; init: RequestInit; limits?: ResponseLimits | undefined },
): Promise<Probe> {
  const sentAt = now();
  try {
    const response = await request(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(limits.ms),
    });
    const receivedAt = now();
    const text = await readText(response, limits.bytes);
    if (text === undefined)
      return { kind: 'failed', reason: `the body is larger than ${limits.bytes} bytes` };
    const { status, headers } = response;
    const size = Buffer.byteLength(text);
    const answer = { status, headers, size, text, json: jsonOf(text), sentAt, receivedAt };
    return { kind: 'answer', answer };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return { kind: 'failed', reason: reasonOf(error, limits), isTimeout };
  }
}

async function readText({ body }: Response, bytesMax: number): Promise<string | undefined> {
  if (body === null) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (size > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text of the innermost cause: fetch itself only reports "fetch failed". It contains no header of the request. */
function reasonOf(error: unknown, { ms }: ResponseLimits): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${ms} ms`;
  const { cause } = error;
  if (!(cause instanceof Error)) return error.message;
  const code: unknown = Reflect.get(cause, 'code');
  return typeof code === 'string' ? `${code} ${cause.message}`.trim() : cause.message;
}
