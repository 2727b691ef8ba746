import { settled } from './settled.js';

interface Alarm {
  at: number;
  callback: () => void;
}

/** A clock with timers that move only when told to. Start: an arbitrary day. */
export function createFakeTime(start = Date.UTC(2025, 5, 1)) {
  let now = start;
  const alarms = new Set<Alarm>();
  return {
    clock: { now: () => now },
    timers: {
      setTimeout(callback: () => void, milliseconds: number) {
        const alarm = { at: now + milliseconds, callback };
        alarms.add(alarm);
        return alarm;
      },
      clearTimeout(alarm: unknown) {
        alarms.delete(alarm as Alarm);
      },
    },
    /** Delays of the timers that are set, shortest first. */
    delays: () => [...alarms].map(({ at }) => at - now).sort((a, b) => a - b),
    /** Moves on, firing each timer in its turn, when all that the one before it started has come to its end. */
    async advance(milliseconds: number) {
      const end = now + milliseconds;
      for (;;) {
        const [due] = [...alarms].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!due) break;
        alarms.delete(due);
        now = Math.max(now, due.at);
        due.callback();
        await settled();
      }
      now = end;
      await settled();
    },
    /** Lets time pass while the timers sleep, as on a closed laptop. */
    sleep(milliseconds: number) {
      now += milliseconds;
      for (const alarm of alarms) alarm.at += milliseconds;
    },
  };
}
