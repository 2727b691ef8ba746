import type { SandboxUnderTest } from './sandbox-under-test.js';

/** Answer of the control API. */
export interface ControlAnswer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Calls the control API with its token. Bytes are sent as they are. `headers` replaces the headers that a program sends. */
export async function callControl<Body = Record<string, unknown>>(
  service: Pick<SandboxUnderTest, 'server' | 'baseUrl'>,
  call: string,
  body?: unknown,
  headers: Record<string, string> = {
    Authorization: `Bearer ${service.server.controlToken}`,
    'Content-Type': 'application/json',
  },
): Promise<ControlAnswer<Body>> {
  const [method = 'GET', path = ''] = call.split(' ');
  const response = await fetch(`${service.baseUrl}/sandbox/api${path}`, {
    method,
    headers,
    ...(body !== undefined && { body: body instanceof ArrayBuffer ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text === '' ? undefined : JSON.parse(text)) as Body,
  };
}
