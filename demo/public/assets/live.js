// The demo's stream: calls of this shop, the service's time, and the drop. All parts of a page share one connection, and a
// page in the background closes it, because browsers open only six to a host.

const listeners = new Map();
let source;

/** Calls the listener with the data of each message of a type: `calls`, `call`, `time`, `open` or `error`. */
export function onLive(type, listener) {
  const known = listeners.get(type) ?? [];
  listeners.set(type, [...known, listener]);
  if (known.length === 0) source?.addEventListener(type, deliver);
}

function deliver(event) {
  const data = event.data === undefined ? undefined : JSON.parse(event.data);
  for (const listener of listeners.get(event.type) ?? []) listener(data);
}

function connect() {
  if (source !== undefined || document.visibilityState === 'hidden') return;
  source = new EventSource('/how/live');
  for (const type of listeners.keys()) source.addEventListener(type, deliver);
}

function disconnect() {
  source?.close();
  source = undefined;
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') disconnect();
  else connect();
});
addEventListener('pagehide', disconnect);
addEventListener('pageshow', connect);
// After the modules of the page have named what they listen to.
queueMicrotask(connect);
