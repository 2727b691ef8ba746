import express, { type Request, type Response } from 'express';
import type { z } from 'zod';
import { keptBody } from './kept-body.js';

const LIMIT = '10kb';
const PARSERS = [express.json({ limit: LIMIT }), express.urlencoded({ limit: LIMIT, extended: false })];

type ReadBody<Body> = { kind: 'read'; body: Body } | { kind: 'invalid'; message: string };

/** Reads a form or JSON that fits the schema. */
export async function readBody<Body>(
  request: Request,
  response: Response,
  schema: z.ZodType<Body>,
): Promise<ReadBody<Body>> {
  const read = await parseBody(request, response);
  if (read.kind === 'invalid') return read;
  const { success, data, error } = schema.safeParse(read.body);
  if (success) return { kind: 'read', body: data };
  const fields = [...new Set(error.issues.map((issue) => issue.path.join('.') || 'body'))];
  return { kind: 'invalid', message: `Missing or malformed: ${fields.join(', ')}.` };
}

/** Middleware above may have parsed the body, or have kept its bytes or its text. */
async function parseBody(request: Request, response: Response): Promise<ReadBody<unknown>> {
  const wasRead = request.readableDidRead || request.readableEnded;
  try {
    for (const parse of PARSERS) await run(parse, request, response);
    const body: unknown = request.body;
    const isParsed = typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
    if (isParsed && Object.keys(body).length > 0) return { kind: 'read', body };
    const kept = keptBody(request);
    if (kept !== undefined) return { kind: 'read', body: fieldsIn(kept.toString(), request) };
    // An empty object has two characters.
    if (!wasRead || Number(request.headers['content-length']) <= 2) return { kind: 'read', body };
    return {
      kind: 'invalid',
      message:
        'Middleware above auth.router has read the body, and kept nothing. Mount auth.router above it.',
    };
  } catch {
    return { kind: 'invalid', message: `The body must be a form or JSON of at most ${LIMIT}.` };
  }
}

function fieldsIn(text: string, request: Request): unknown {
  return request.is('application/json') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
}

function run(parse: express.RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    parse(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}
