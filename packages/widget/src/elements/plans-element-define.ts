import { LatchkeyPlans } from './plans-element.js';

if (!customElements.get('latchkey-plans')) {
  customElements.define('latchkey-plans', LatchkeyPlans);
}
