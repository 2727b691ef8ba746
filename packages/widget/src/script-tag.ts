/** Entry of the script tag, as a classic script or a module. Registers `<latchkey-login>` and `<latchkey-gate>`. */
// The bundler keeps this order, which compresses better.
import './state/membership-rule.js';
import './script-element-rest.js';
import './browser/addresses.js';
import './messages/registry.js';
import '@latchkey/oauth';
import './gate/gate-element.styles.js';
import './login/login-element.styles.js';
import './element/theme.styles.js';
import 'lit';
import './messages/messages.js';
import './element/shared.js';
import './login/placement.js';
import './state/login-state.js';
import './state/widget-events.js';
import './login/login-element.js';
import './messages/en.js';
import './element/session-element.js';
import './script-origin.js';
import './define.js';
