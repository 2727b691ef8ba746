import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { CONTROL_HEADER } from '../routes/control-header.js';
import { ControlFailure } from './control-failure.js';

/**
 * Accepts only calls with the token. Calls from another origin's page are rejected first, so no page can probe for the
 * token. The server's host guard has already rejected foreign hosts.
 */
export function controlGuard(baseUrl: string, isToken: (presented: string) => boolean): RequestHandler {
  return (request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', [CONTROL_HEADER]: '1' });
    if (!isOwnOrigin(request, baseUrl)) {
      throw new ControlFailure(
        'foreign_origin',
        'The control API accepts no calls from pages of another origin.',
      );
    }
    if (!isToken(bearerOf(request))) {
      response.set('WWW-Authenticate', 'Bearer realm="sandbox"');
      const message =
        'The token is missing or wrong. Send Authorization: Bearer and the token that the sandbox printed at its start.';
      throw new ControlFailure('unauthorized', message);
    }
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isJson(request)) {
      throw new ControlFailure('unsupported_media_type', 'Send Content-Type: application/json.');
    }
    next();
  };
}

/** Programs send neither header. Browsers send at least one of them with every call that a page can make. */
function isOwnOrigin(request: Request, baseUrl: string): boolean {
  const origin = request.get('Origin');
  if (origin !== undefined && origin !== baseUrl) return false;
  const site = request.get('Sec-Fetch-Site');
  return site === undefined || site === 'same-origin' || site === 'none';
}

function bearerOf(request: Request): string {
  const headers = request.headersDistinct.authorization ?? [];
  return headers.length === 1 ? (/^bearer +(\S+)$/i.exec(headers[0] ?? '')?.[1] ?? '') : '';
}

function isJson(request: Request): boolean {
  return /^application\/json(?:\s*;|$)/i.test(request.get('Content-Type') ?? '');
}

/** What a token looks like: too long to guess, and safe in a header, an environment file and a shell. */
const TOKEN = /^[A-Za-z0-9_-]{24,200}$/;

export function createControlToken(): string {
  return `sbx_${randomBytes(32).toString('base64url')}`;
}

/**
 * Returns a check for presented tokens. It keeps only a hash, and compares in constant time.
 *
 * @throws Error if the token is too short or has other characters.
 */
export function tokenCheck(token: string): (presented: string) => boolean {
  if (!TOKEN.test(token)) {
    throw new Error(
      'Option "controlToken" (LATCHKEY_SANDBOX_TOKEN) is not usable: use 24 to 200 letters, digits, - or _.',
    );
  }
  const expected = sha256(token);
  return (presented) => timingSafeEqual(sha256(presented), expected);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
