import { WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';

/** Returns the address of a client's hosted callback, the redirect URI of the widget's popup flow. */
export function hostedCallbackOf(baseUrl: string, clientId: string): string {
  return `${baseUrl}${WIDGET_CALLBACK_PATH.replace('{clientId}', clientId)}`;
}
