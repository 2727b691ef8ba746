import './login-element-define.js';
import { LatchkeyGate } from './gate-element.js';

if (!globalThis.customElements?.get('latchkey-gate')) {
  globalThis.customElements?.define('latchkey-gate', LatchkeyGate);
}
