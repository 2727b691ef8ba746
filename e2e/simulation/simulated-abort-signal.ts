import type { VirtualTime } from './virtual-time.ts';

/** `AbortSignal` of a page or process, whose timeouts pass in simulated time. */
export function simulatedAbortSignal(owner: object, time: VirtualTime) {
  return {
    // Node keeps a combined signal alive until it aborts, and with it the whole simulation.
    any(signals: AbortSignal[]) {
      const controller = new AbortController();
      for (const signal of signals) {
        if (signal.aborted) controller.abort(signal.reason);
        else signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
      }
      return controller.signal;
    },
    timeout(ms: number) {
      const controller = new AbortController();
      time.setTimer(owner, () => controller.abort(new DOMException('Timeout', 'TimeoutError')), ms);
      return controller.signal;
    },
  };
}
