// Counts down to an instant of the service's clock. The demo's stream sends that clock, also when the sandbox moves it. Between
// two messages the page's timer counts on: the visitor's own clock is never read.
import { onLive } from './live.js';

/** Writes a time span as days, hours, minutes and seconds. The server does the same in `countdown.ts`. */
export function timeLeft(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const parts = [
    `${Math.floor(seconds / 3600) % 24} h`,
    `${Math.floor(seconds / 60) % 60} min`,
    `${seconds % 60} s`,
  ];
  const days = Math.floor(seconds / 86_400);
  return days === 0 ? parts.join(' ') : [`${days} d`, ...parts].join(' ');
}

let offset;

/** Returns the service's time; undefined until the stream has sent it. */
export function serviceNow() {
  return offset === undefined ? undefined : offset + performance.now();
}

/** Calls the listener when the service's time or the drop has changed, and every second. */
export function onTime(listener) {
  let drop;
  onLive('time', (message) => {
    offset = message.now - performance.now();
    drop = message.drop;
    listener(drop);
  });
  setInterval(() => {
    if (offset !== undefined) listener(drop);
  }, 1000);
}
