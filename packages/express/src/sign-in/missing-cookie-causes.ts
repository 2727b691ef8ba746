import type { AppUrl } from '../http/app-url.js';
import type { VisitorExchange } from './endpoint.js';
import type { SignInAttempts } from './sign-in-attempts.js';

/** Log details for a missing attempt cookie: likely causes, those that this request indicates first. */
export function missingCookieCauses(
  { app: { appOrigin }, attempts }: { app: AppUrl; attempts: SignInAttempts },
  { visitor, request }: VisitorExchange,
): Record<string, unknown> {
  const { headers } = request;
  const { host } = new URL(appOrigin);
  const isHttps = appOrigin.startsWith('https:');
  const forwardedProto = String(headers['x-forwarded-proto'] ?? '').split(',', 1)[0];
  const indicated: [boolean, string][] = [
    [
      visitor.signedIn,
      'the visitor is signed in: the Back button, a reload or a bookmark opened a completed sign-in again',
    ],
    [
      isHttps && forwardedProto === 'http',
      'according to a proxy the visitor used http, where browsers store no Secure cookie: redirect http to https',
    ],
    [
      headers.host !== host,
      `the Host header differs from appUrl (${host}): visitors start on another host, or a proxy replaces the header`,
    ],
    [
      /^(iframe|frame|embed|object)$/.test(String(headers['sec-fetch-dest'] ?? '')),
      'the app is in a frame of another site, where browsers send no SameSite=Lax cookie: sign in in a separate window',
    ],
    [
      headers.cookie === undefined,
      'the request has no cookies: the browser blocks them, or a proxy drops the Cookie header',
    ],
    [
      attempts.countIn(request) > 0,
      'the request has cookies of other sign-ins: this one was completed before, or there were too many at once',
    ],
  ];
  return {
    likelyCauses: [
      ...indicated.filter(([applies]) => applies).map(([, cause]) => cause),
      'the visitor took more than ten minutes',
      'the sign-in started in another browser',
      ...(isHttps ? ['the app was opened over http, where browsers reject Secure cookies'] : []),
    ],
  };
}
