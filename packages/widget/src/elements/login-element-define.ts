import { LatchkeyLogin } from './login-element.js';

// The first definition stays if the script is loaded twice, or in two versions.
if (!globalThis.customElements?.get('latchkey-login')) {
  globalThis.customElements?.define('latchkey-login', LatchkeyLogin);
}
