/** The rest of the widget, which a page needs only after its first paint. `latchkey.js` loads it as a separate file. */
export * from './element/rest.js';
export { loadedSession } from './session/loaded-session.js';
