import { LatchkeyJoin } from './join-element.js';

if (!customElements.get('latchkey-join')) {
  customElements.define('latchkey-join', LatchkeyJoin);
}
