import type { CheckedAuthorization, WrongSetting } from '../../domain/oauth/check-authorization.js';
import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging/logger.js';
import { throttledWarning } from '../../platform/logging/throttled-warning.js';

/** Maximum number of characters of a parameter in the log. */
const SHOWN_LENGTH = 200;

/** Characters that could end a line of the log or change how a terminal shows it. */
const UNPRINTABLE = /[\p{C}\p{Z}]/gu;

const ADVICE: Readonly<Record<WrongSetting, string>> = {
  'client id': 'Register the client, or correct the client id in the site.',
  'redirect URIs': 'Add exactly this address to the redirect URIs of the client, or correct it in the site.',
};

/**
 * Creates the log of requests that authorize rejects with 400 because a setting is wrong. The visitor sees only the error, so
 * the line names the client, the redirect URI and the setting. Anyone can cause it, so the number of lines is limited.
 */
export function rejectionLog(needs: { readonly clock: Clock; readonly logger: Logger }) {
  const warn = throttledWarning(needs);
  return ({ rejection, parameters }: Extract<CheckedAuthorization, { kind: 'rejected' }>): void => {
    if (rejection.kind !== 'bad-request' || rejection.setting === undefined) return;
    const { setting } = rejection;
    const fields = {
      clientId: shown(parameters.clientId),
      redirectUri: shown(withoutSecrets(parameters.redirectUri)),
      setting,
      advice: ADVICE[setting],
    };
    warn(fields, `Authorization rejected: ${rejection.description}`);
  };
}

/** Removes the user and the query. Both can contain secrets. */
function withoutSecrets(uri: string | undefined): string | undefined {
  if (uri === undefined || !URL.canParse(uri)) return uri;
  const { protocol, host, pathname } = new URL(uri);
  return `${protocol}//${host}${pathname}`;
}

function shown(text: string | undefined): string | undefined {
  return text?.slice(0, SHOWN_LENGTH).replace(UNPRINTABLE, '�');
}
