/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import 'lit';
import './script-element-rest.js';
import './login/placement.js';
import './element/shared.js';
import './browser/addresses.js';
import './state/login-state.js';
import './messages/registry.js';
import './element/session-element.js';
import './messages/messages.js';
import './script-origin.js';
import './messages/en.js';
import './state/membership-rule.js';
import './login/login-element.js';
import '@latchkey/oauth';
import './login/login-element.styles.js';
import './state/widget-events.js';
import './gate/gate-element.styles.js';
import './element/theme.styles.js';
import './define.js';
