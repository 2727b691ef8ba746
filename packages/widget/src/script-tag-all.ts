/** Entry of `latchkey-all.js`, which is `latchkey.js` with its rest in one file. */
// The bundler keeps this order, which compresses better.
import './messages/rest-en.js';
import './gate/gate-content.js';
import './login/panel.styles.js';
import './browser/addresses.js';
import './gate/gate-element.styles.js';
import './element/theme.styles.js';
import './browser/wake-up.js';
import './script-origin.js';
import './login/placement.js';
import './login/login-element.styles.js';
import './element/rest.js';
import './state/membership-rule.js';
import './login/login-element.js';
import './define.js';
