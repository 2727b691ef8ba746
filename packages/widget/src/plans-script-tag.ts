/** Entry of the second script tag, as a classic script or a module. Its build waits for `latchkey.js`. */
import './plans.js';
