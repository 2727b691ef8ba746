/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import './messages/messages.js';
import './login/placement.js';
import 'lit';
import './state/membership-rule.js';
import './script-origin.js';
import './element/session-element.js';
import './login/login-element.styles.js';
import '@latchkey/oauth';
import './messages/en.js';
import './gate/gate-element.styles.js';
import './element/theme.styles.js';
import './state/login-state.js';
import './state/widget-events.js';
import './script-element-rest.js';
import './element/shared.js';
import './browser/addresses.js';
import './login/login-element.js';
import './messages/registry.js';
import './define.js';
