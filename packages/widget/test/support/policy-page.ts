import '../../src/define.js';
import { createLoginSession, type LoginSession, type LoginSessionOptions } from '../../src/session/index.js';
import { createStillSession, loginStates } from '../../src/testing.js';

declare global {
  interface Window {
    createSession(options: LoginSessionOptions): LoginSession;
    /** Shows a gate whose `src` returns this markup. */
    showMarkup(markup: string): void;
  }
}

window.createSession = createLoginSession;
window.showMarkup = (markup) => {
  const gate = document.createElement('latchkey-gate');
  gate.src = '/markup';
  gate.session = createStillSession(loginStates['signed in'], {
    fetch: async () => new Response(markup, { headers: { 'content-type': 'text/html' } }),
  });
  document.body.append(gate);
};
