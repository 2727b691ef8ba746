/**
 * Node.js's `node:http`. An `import` would read every export and load `fetch` and WebSocket as well: about 40 ms of
 * processor time and 7 MB at each start.
 */
export const nodeHttp = process.getBuiltinModule('node:http');

/** Returns Node.js's `node:https`. The first call loads TLS. */
export function nodeHttps() {
  return process.getBuiltinModule('node:https');
}
