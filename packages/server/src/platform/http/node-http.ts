/**
 * Node's `node:http`. An `import` would read every export, which loads Node's fetch and WebSocket as well: about 40 ms of
 * processor time and 7 MB at each start.
 */
export const nodeHttp = process.getBuiltinModule('node:http');

/** Returns Node's `node:https`, which loads TLS at the first call. */
export function nodeHttps() {
  return process.getBuiltinModule('node:https');
}
