import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import express from 'express';
import { type Middleware, middleware } from '../http/middleware.js';
import { LatchkeyOptionsError } from '../platform/options-error.js';

/** Lets browsers keep a file of a member, but only use it after the gate has answered again. */
const CACHE_CONTROL = 'private, no-cache';

/**
 * Serves a folder behind a gate: whole files, ranges (RFC 9110 14) and conditional requests (RFC 9110 13). Files whose names
 * begin with a dot are not served.
 * @throws LatchkeyOptionsError if the folder does not exist.
 */
export function gatedFiles(folder: string, gate: Middleware): Middleware {
  const files = express.static(requireFolder(folder), {
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (response) => {
      // The gate has set no-store, which would forbid conditional requests and repeated ranges of a video.
      response.setHeader('Cache-Control', CACHE_CONTROL);
      response.setHeader('X-Content-Type-Options', 'nosniff');
    },
  });
  return middleware((request, response, next) =>
    gate(request, response, (error) => {
      if (error === undefined) files(request, response, next);
      else next(error);
    }),
  );
}

function requireFolder(folder: string): string {
  const problem = (message: string) => new LatchkeyOptionsError([{ option: 'gatedFiles folder', message }]);
  if (typeof folder !== 'string' || folder === '')
    throw problem('must be the path of a folder, such as private/members.');
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw problem(
    `does not exist or is not a folder: ${JSON.stringify(path)}. Relative paths begin at the working directory of the process.`,
  );
}
