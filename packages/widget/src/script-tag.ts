/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import './login/placement.js';
import './login/login-element.js';
import './browser/addresses.js';
import './messages/messages.js';
import './script-origin.js';
import 'lit';
import '@latchkey/oauth';
import './gate/gate-element.styles.js';
import './login/login-element.styles.js';
import './messages/en.js';
import './state/membership-rule.js';
import './element/session-element.js';
import './state/login-state.js';
import './script-element-rest.js';
import './element/theme.styles.js';
import './messages/registry.js';
import './state/widget-events.js';
import './element/shared.js';
import './define.js';
