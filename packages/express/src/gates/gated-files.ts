import { constants, statSync } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { type Middleware, middleware } from '../http/middleware.js';
import { optionError } from '../platform/errors.js';

/** Lets browsers keep a member's file, but only use it after asking the gate again. */
const CACHE_CONTROL = 'private, no-cache';
const INDEX = 'index.html';
/** Don't follow a link at the end of the path, and don't wait for the other end of a pipe. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Serves a folder behind a gate: whole files, ranges (RFC 9110 14) and conditional requests (RFC 9110 13). Serves a
 * regular file only if its real path is the folder plus exactly the requested path, so neither a symbolic link nor
 * another spelling leads to a file. Names that begin with a dot aren't served.
 * @throws LatchkeyOptionsError if the folder doesn't exist.
 */
export function gatedFiles(folder: string, gate: Middleware): Middleware {
  const root = requireFolder(folder);
  return middleware((request, response, next) =>
    gate(request, response, async (error) => {
      if (error !== undefined) return next(error);
      try {
        if (!(await serve(root, request, response))) next();
      } catch (failure) {
        if (response.headersSent) response.destroy();
        else next(failure);
      }
    }),
  );
}

function requireFolder(folder: string): string {
  if (typeof folder !== 'string' || folder === '')
    throw optionError('gatedFiles folder', 'must be the path of a folder, such as private/members.');
  const path = resolve(folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw optionError(
    'gatedFiles folder',
    `does not exist or is not a folder: ${JSON.stringify(path)}. Relative paths begin at the working directory of the process.`,
  );
}

/** Answers a request for a file or a folder. False if there is none. */
async function serve(root: string, request: Request, response: Response): Promise<boolean> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const segments = segmentsOf(request.path);
  if (segments === undefined) return false;
  const isFolder = segments.at(-1) === '';
  const names = isFolder ? [...segments.slice(0, -1), INDEX] : segments;
  const file = await openFile(root, names);
  if (file === 'folder') return isFolder ? false : redirectToFolder(request, response);
  if (file === undefined) return false;
  try {
    await sendFile(file, names.at(-1) ?? '', { request, response });
  } finally {
    await file.handle.close();
  }
  return true;
}

/**
 * An encoded slash, or a character that needs no encoding (RFC 3986 2.3): another spelling, which would get past a
 * stricter gate in front.
 */
const NEEDLESSLY_ENCODED = /%(?:2[def]|3\d|[46][1-9a-f]|5[0-9af]|7[0-9ae])/i;

/**
 * Splits a path into names; the last one is empty for a folder. Returns `undefined` for a path that no file can have:
 * with a dotfile, `..` in any encoding, an empty name, a Windows separator or drive, or a NUL.
 */
function segmentsOf(path: string): string[] | undefined {
  if (NEEDLESSLY_ENCODED.test(path)) return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return undefined;
  }
  const segments = decoded.replace(/^\//, '').split('/');
  const isName = (segment: string) => /^[^.\\:\0][^\\:\0]*$/.test(segment);
  return segments.every((segment, index) =>
    segment === '' ? index === segments.length - 1 : isName(segment),
  )
    ? segments
    : undefined;
}

interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
  readonly modifiedAt: Date;
}

/**
 * Opens a regular file below the folder, then checks the opened file: between a check and the opening, a path can
 * change. Its real path must be the requested one, and lead to the same file as the handle.
 */
async function openFile(root: string, names: readonly string[]): Promise<OpenFile | 'folder' | undefined> {
  const realRoot = await realPathOf(root);
  if (realRoot === undefined) return undefined;
  const path = join(realRoot, ...names);
  const kind = await lstat(path).catch(ifMissing);
  if (kind?.isDirectory()) return (await isSpelled(path)) ? 'folder' : undefined;
  // Opening a device can change it, so it isn't even opened.
  if (!kind?.isFile()) return undefined;
  const handle = await open(path, FLAGS).catch(ifMissing);
  if (handle === undefined) return undefined;
  try {
    const opened = await handle.stat({ bigint: true });
    const named = (await isSpelled(path)) ? await stat(path, { bigint: true }).catch(ifMissing) : undefined;
    if (opened.isFile() && named?.ino === opened.ino && named.dev === opened.dev)
      return { handle, size: Number(opened.size), modifiedAt: opened.mtime };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/**
 * True if a path is the real one: no part of it is a link, or another spelling on a file system that ignores case,
 * trailing dots or long names. Only the Unicode composition of accented letters may differ.
 */
async function isSpelled(path: string): Promise<boolean> {
  return (await realPathOf(path))?.normalize() === path.normalize();
}

async function realPathOf(path: string): Promise<string | undefined> {
  return await realpath(path).catch(ifMissing);
}

/** Errors that mean there is no such file for this process. */
const MISSING = new Set([
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EACCES',
  'EPERM',
  'ENXIO',
  'EINVAL',
]);

function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (MISSING.has(error.code ?? '')) return undefined;
  throw error;
}

/**
 * A page's relative links need the slash. The path begins with exactly one slash, so it can't lead to another host, even
 * if the request names one in its first line.
 */
function redirectToFolder({ originalUrl }: Request, response: Response): true {
  const [pathname = '', ...query] = originalUrl.replace(/^(?:\w+:\/\/[^/?]*)?\/*/, '/').split('?');
  response.redirect(301, [`${pathname}/`, ...query].join('?'));
  return true;
}

async function sendFile(
  { handle, size, modifiedAt }: OpenFile,
  name: string,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  // The gate has set `no-store`, which would prevent conditional requests and repeated ranges of a video.
  response.set({
    'Cache-Control': CACHE_CONTROL,
    'X-Content-Type-Options': 'nosniff',
    'Accept-Ranges': 'bytes',
    'Last-Modified': modifiedAt.toUTCString(),
    ETag: `W/"${size.toString(16)}-${modifiedAt.getTime().toString(16)}"`,
  });
  if (isPreconditionFailed(request, response)) return void response.status(412).end();
  if (request.fresh) return void response.status(304).end();
  response.type(extname(name) || 'bin');
  const ranges = isRangeCurrent(request, response) ? request.range(size, { combine: true }) : undefined;
  if (ranges === -1) {
    response.removeHeader('Content-Type');
    return void response.status(416).set('Content-Range', `bytes */${size}`).end();
  }
  let [start, end] = [0, size - 1];
  // Several ranges would need a multipart body, so they get the whole file (RFC 9110 14.2).
  if (Array.isArray(ranges) && ranges.type === 'bytes' && ranges.length === 1) {
    [start, end] = [ranges[0]?.start ?? 0, ranges[0]?.end ?? size - 1];
    response.status(206).set('Content-Range', `bytes ${start}-${end}/${size}`);
  }
  const length = end - start + 1;
  response.set('Content-Length', String(length));
  if (request.method === 'HEAD' || length === 0) return void response.end();
  const content = handle.createReadStream({ start, end, autoClose: false });
  await pipeline(content, response).catch((error: NodeJS.ErrnoException) => {
    // The visitor left.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  });
}

/** True if the request is for an earlier version of the file (RFC 9110 13.1.1, 13.1.4). */
function isPreconditionFailed(request: Request, response: Response): boolean {
  const match = request.get('If-Match');
  if (match !== undefined) {
    const tags = match.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
    return match.trim() !== '*' && !tags.includes(String(response.get('ETag')).replace(/^W\//, ''));
  }
  const since = Date.parse(request.get('If-Unmodified-Since') ?? '');
  return Date.parse(String(response.get('Last-Modified'))) > since;
}

/** True unless the range is for another version of the file (RFC 9110 13.1.5). */
function isRangeCurrent(request: Request, response: Response): boolean {
  const wanted = request.get('If-Range');
  if (wanted === undefined) return true;
  if (wanted.includes('"')) return wanted === response.get('ETag');
  return Date.parse(String(response.get('Last-Modified'))) <= Date.parse(wanted);
}
