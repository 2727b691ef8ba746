/** Registers `<latchkey-login>` and `<latchkey-gate>`. Safe to load twice. */
import { LatchkeyGate } from './gate/gate-element.js';
import { LatchkeyLogin } from './login/login-element.js';

// The first definition stays if the script is loaded twice, or in two versions.
if (!customElements.get('latchkey-login')) customElements.define('latchkey-login', LatchkeyLogin);
if (!customElements.get('latchkey-gate')) customElements.define('latchkey-gate', LatchkeyGate);
LatchkeyGate.isDefining = false;

export { LatchkeyGate } from './gate/gate-element.js';
export { LatchkeyLogin } from './login/login-element.js';
