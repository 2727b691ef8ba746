import { SITE_CALLBACK_PATH } from '@latchkey/contract/constants';
import { hostedCallbackUrl, type OAuthService } from '@latchkey/oauth';
import { ownRedirectUri } from './own-redirect-uri.js';
import { scriptOrigin } from './script-origin.js';

/**
 * Returns the page where the popup ends: the `callback-url`. Its default is the callback page of the service if the script
 * came from there, and otherwise a page of this site, because not every service has one.
 * @throws OAuthClientError `invalid_configuration` if a setting is invalid.
 */
export function callbackAddress(service: OAuthService, callbackUrl: string | undefined): string {
  const hosted = hostedCallbackUrl(service);
  const isFromService = hosted.startsWith(`${scriptOrigin()}/`);
  const url = callbackUrl || (isFromService ? hosted : location.origin + SITE_CALLBACK_PATH);
  return url === hosted ? hosted : ownRedirectUri('callback-url', url);
}
