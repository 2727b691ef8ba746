import { createLoginSession, type LoginSession, type LoginSessionOptions } from '../../src/session/index.js';

declare global {
  interface Window {
    createSession(options: LoginSessionOptions): LoginSession;
  }
}

window.createSession = createLoginSession;
