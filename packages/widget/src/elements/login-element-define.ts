import { LatchkeyLogin } from './login-element.js';

// The first definition stays if the script is loaded twice, or in two versions.
if (!customElements.get('latchkey-login')) {
  customElements.define('latchkey-login', LatchkeyLogin);
}
