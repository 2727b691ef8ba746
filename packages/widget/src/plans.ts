/** Registers `<latchkey-plans>` and `<latchkey-join>`. Safe to load twice. */
import './elements/plans-element-define.js';
import './elements/join-element-define.js';

export { LatchkeyJoin } from './elements/join-element.js';
export { LatchkeyPlans } from './elements/plans-element.js';
