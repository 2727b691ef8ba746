import { ConsoleApp } from './shell/console-app.js';
import { VIEWS } from './views.js';

ConsoleApp.views = VIEWS;
customElements.define('console-app', ConsoleApp);
