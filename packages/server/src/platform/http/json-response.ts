import type { Response } from 'express';

/**
 * Sends a body as JSON, as `response.json` of Express does, without what none of our answers needs: entity tags, ranges,
 * other character sets, callbacks. Header and body leave in one piece, which costs half as much as two.
 */
export function sendJson(this: Response, body: unknown): Response {
  const text = JSON.stringify(body);
  this.setHeader('Content-Type', 'application/json; charset=utf-8');
  this.setHeader('Content-Length', Buffer.byteLength(text));
  return this.end(text);
}
