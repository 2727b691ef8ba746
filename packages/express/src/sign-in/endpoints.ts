import { type CallbackContext, callbackEndpoint } from './callback.js';
import { EndpointTable } from './endpoint-table.js';
import { type ExchangeContext, exchangeEndpoint } from './exchange.js';
import { type LoginContext, loginEndpoint } from './login.js';
import { type LogoutContext, logoutEndpoint } from './logout.js';
import { sendSession } from './session-endpoint.js';

export interface EndpointsContext extends LoginContext, CallbackContext, ExchangeContext, LogoutContext {}

/** Endpoints of the router. */
export class Endpoints extends EndpointTable {
  constructor(context: EndpointsContext) {
    super(context.app, {
      '/login': { method: 'GET', endpoint: loginEndpoint(context) },
      '/callback': { method: 'GET', endpoint: callbackEndpoint(context) },
      '/exchange': { method: 'POST', endpoint: exchangeEndpoint(context) },
      '/session': { method: 'GET', endpoint: sendSession },
      '/logout': { method: 'POST', endpoint: logoutEndpoint(context) },
    });
  }
}
