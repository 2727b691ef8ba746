import './login-element-define.js';
import { LatchkeyGate } from './gate-element.js';

if (!customElements.get('latchkey-gate')) {
  customElements.define('latchkey-gate', LatchkeyGate);
}
