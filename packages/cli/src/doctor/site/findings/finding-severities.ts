/**
 * - `critical`: a secret or protected content is public;
 * - `error`: sign-in, a gate or a webhook does not work, or is not protected;
 * - `warning`: works, but not as the site's owner may expect.
 */
export type Severity = 'critical' | 'error' | 'warning';

/** All findings of `latchkey doctor --site` and `--project`, in the order of docs/doctor.md. */
export const FINDING_SEVERITIES = {
  'site-unreachable': 'error',
  'site-redirects': 'warning',
  'nothing-found': 'error',
  'insecure-page': 'error',
  'mixed-content': 'error',
  'clock-skew': 'warning',

  'script-missing': 'error',
  'script-unreachable': 'error',
  'script-wrong-url': 'error',
  'script-content-type': 'error',
  'script-twice': 'warning',
  'script-other-version': 'warning',
  'plans-script-missing': 'error',

  'coop-severs-popup': 'error',
  'csp-script-src': 'error',
  'csp-connect-src': 'error',
  'csp-style-src': 'warning',
  'csp-sandbox': 'error',
  'referrer-policy': 'warning',
  'page-framable': 'warning',
  'service-worker-cache': 'warning',

  'client-id-missing': 'error',
  'client-id-invalid': 'error',
  'client-unknown': 'error',
  'service-url-wrong': 'error',
  'client-confidential': 'error',
  'scope-not-registered': 'error',
  'origin-not-allowed': 'error',
  'redirect-uri-not-registered': 'error',
  'return-url-missing': 'error',
  'callback-page-missing': 'error',
  'attributes-differ': 'warning',

  'gate-without-rule': 'warning',
  'gate-without-backend': 'error',
  'gate-content-in-page': 'warning',
  'gate-content-public': 'critical',
  'gate-content-missing': 'error',

  'backend-not-mounted': 'error',
  'backend-other-site': 'error',
  'backend-failing': 'error',
  'backend-other-client': 'error',
  'backend-other-service': 'error',
  'app-url-mismatch': 'error',
  'session-cacheable': 'error',
  'cors-wide-open': 'error',
  'cookie-missing': 'error',
  'cookie-not-secure': 'error',
  'cookie-not-http-only': 'error',
  'cookie-same-site': 'error',
  'cookie-host-prefix': 'error',
  'cookie-domain': 'error',

  'secret-in-page': 'critical',
  'env-file-public': 'critical',

  'webhook-not-registered': 'error',
  'webhook-elsewhere': 'error',
  'webhook-paused': 'error',
  'webhook-unreachable': 'error',
  'webhook-not-found': 'error',
  'webhook-wrong-secret': 'error',
  'webhook-body-parsed': 'error',
  'webhook-failing': 'error',

  'node-version': 'error',
  'engines-node': 'warning',
  'packages-missing': 'error',
  'package-versions': 'error',
  'env-secret-in-bundle': 'critical',
  'env-file-tracked': 'warning',
} as const satisfies Record<string, Severity>;
