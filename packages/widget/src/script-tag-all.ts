/** Entry of `latchkey-all.js`, which is `latchkey.js` with its rest in one file. */
// The bundler keeps this order, which compresses better.
import './gate/gate-content.js';
import './login/login-element.styles.js';
import './browser/wake-up.js';
import './script-origin.js';
import './gate/gate-element.styles.js';
import './element/shared.js';
import 'lit';
import './messages/rest-en.js';
import './element/theme.styles.js';
import './element/rest.js';
import './login/login-element.js';
import './login/panel.styles.js';
import './messages/registry.js';
import './messages/en.js';
import './state/membership-rule.js';
import './login/placement.js';
import './browser/addresses.js';
import './define.js';
