/** Registers `<latchkey-plans>` and `<latchkey-join>`. Safe to load twice. */
import { LatchkeyJoin } from './checkout/join-element.js';
import { LatchkeyPlans } from './checkout/plans-element.js';

if (!customElements.get('latchkey-plans')) customElements.define('latchkey-plans', LatchkeyPlans);
if (!customElements.get('latchkey-join')) customElements.define('latchkey-join', LatchkeyJoin);

export { LatchkeyJoin } from './checkout/join-element.js';
export { LatchkeyPlans } from './checkout/plans-element.js';
