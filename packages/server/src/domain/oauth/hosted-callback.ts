import { WIDGET_CALLBACK_PATH } from '@latchkey/contract/constants';

/** Address of a client's own hosted callback: the redirect URI of its widget's popup flow. */
export function hostedCallbackOf(baseUrl: string, clientId: string): string {
  return `${baseUrl}${WIDGET_CALLBACK_PATH.replace('{clientId}', clientId)}`;
}
