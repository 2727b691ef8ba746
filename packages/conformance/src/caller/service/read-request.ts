import type { IncomingMessage } from 'node:http';
import type { ServiceRequest } from '../record/service-exchange.js';
import type { Route } from './route.js';

const BODY_MAX_BYTES = 1_000_000;

/** Reads a request. A longer body than a megabyte is cut. */
export async function readRequest(
  incoming: IncomingMessage,
  route: (method: string, path: string) => Route | undefined,
): Promise<ServiceRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_MAX_BYTES) chunks.push(chunk);
  }
  const { method = 'GET', url = '/' } = incoming;
  const { pathname, searchParams } = new URL(url, 'http://service.invalid');
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  const body = Buffer.concat(chunks).toString('utf8');
  const { endpoint, pathParameters = {} } = route(method, pathname) ?? {};
  const fields = fieldsOf(body, headers['content-type'] ?? '');
  return { method, path: pathname, query: searchParams, headers, body, fields, endpoint, pathParameters };
}

function fieldsOf(body: string, contentType: string): Record<string, unknown> {
  if (contentType.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(body));
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
