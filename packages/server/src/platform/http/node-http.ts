/** An `import` would read every export, and load `fetch` and WebSocket too: about 40 ms and 7 MB at each start. */
export const nodeHttp = process.getBuiltinModule('node:http');

/** Returns Node.js's `node:https`. The first call loads TLS. */
export function nodeHttps() {
  return process.getBuiltinModule('node:https');
}
