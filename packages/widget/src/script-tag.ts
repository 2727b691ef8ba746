/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import './script-element-rest.js';
import '@latchkey/oauth';
import './messages/registry.js';
import 'lit';
import './messages/messages.js';
import './state/login-state.js';
import './state/widget-events.js';
import './browser/addresses.js';
import './state/membership-rule.js';
import './messages/en.js';
import './script-origin.js';
import './element/shared.js';
import './element/session-element.js';
import './gate/gate-element.styles.js';
import './login/login-element.styles.js';
import './login/login-element.js';
import './login/placement.js';
import './element/theme.styles.js';
import './define.js';
