/** Registers `<latchkey-login>` and `<latchkey-gate>`. Safe to load twice. */
import './elements/login-element-define.js';
import './elements/gate-element-define.js';

export { LatchkeyGate } from './elements/gate-element.js';
export { LatchkeyLogin } from './elements/login-element.js';
