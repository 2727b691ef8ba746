/**
 * Has an event of the browser reach a page that is seen. Whether the tests' own page is seen is the machine's business: a
 * window may cover it.
 */
export function happens(target: EventTarget, type: 'online' | 'pageshow' | 'visibilitychange'): void {
  Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true });
  try {
    target.dispatchEvent(new Event(type));
  } finally {
    Reflect.deleteProperty(document, 'visibilityState');
  }
}
