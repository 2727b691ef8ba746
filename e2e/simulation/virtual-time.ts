/** Time of a simulation. It passes only when the simulation moves it. */
export interface VirtualTime {
  now(): number;
  /** Sets a timer of a page or process. */
  setTimer(owner: object, callback: () => void, ms: number): Timer;
  clearTimer(timer: unknown): void;
  /** Removes all timers of a page or process that has ended. */
  clearOwner(owner: object): void;
  /** Time of the next timer. */
  next(): number | undefined;
  /** Moves the time to the next timer, and runs it. */
  runNext(): void;
  /** Moves the time while all timers sleep, as on a closed laptop. */
  sleep(ms: number): void;
  /** Delays the timers of some pages or processes. */
  delay(ms: number, isDelayed: (owner: object) => boolean): void;
  /** Moves the time up to an instant, without running timers. They are then due. */
  moveTo(instant: number): void;
}

export interface Timer {
  at: number;
  order: number;
  owner: object;
  callback: () => void;
}

/** Creates the time of a simulation, which starts on an arbitrary day. */
export function createVirtualTime(start: number): VirtualTime {
  let now = start;
  let order = 0;
  const timers = new Set<Timer>();
  const first = () =>
    [...timers].reduce<Timer | undefined>(
      (best, timer) =>
        best === undefined || timer.at < best.at || (timer.at === best.at && timer.order < best.order)
          ? timer
          : best,
      undefined,
    );
  return {
    now: () => now,
    setTimer(owner, callback, ms) {
      order += 1;
      // Timers of browsers and Node have whole milliseconds, a delay with a random part does not.
      const timer = { at: now + Math.max(0, Math.trunc(ms)), order, owner, callback };
      timers.add(timer);
      return timer;
    },
    clearTimer: (timer) => void timers.delete(timer as Timer),
    clearOwner(owner) {
      for (const timer of timers) if (timer.owner === owner) timers.delete(timer);
    },
    next: () => first()?.at,
    runNext() {
      const timer = first();
      if (timer === undefined) return;
      timers.delete(timer);
      now = Math.max(now, timer.at);
      timer.callback();
    },
    sleep(ms) {
      now += ms;
      for (const timer of timers) timer.at += ms;
    },
    delay(ms, isDelayed) {
      for (const timer of timers) if (isDelayed(timer.owner)) timer.at += ms;
    },
    moveTo(instant) {
      now = Math.max(now, instant);
    },
  };
}

/** Runs everything that follows from what just happened, except what waits for the simulation. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
