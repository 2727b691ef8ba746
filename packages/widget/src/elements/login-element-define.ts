import { LatchkeyLogin } from './login-element.js';

// Loaded twice, or in two versions: the first stays.
if (!globalThis.customElements?.get('latchkey-login')) {
  globalThis.customElements?.define('latchkey-login', LatchkeyLogin);
}
