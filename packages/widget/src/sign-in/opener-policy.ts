let result: Promise<boolean> | undefined;

/**
 * True if this page's `Cross-Origin-Opener-Policy` severs it from its popups. Requests the page's own headers once, from
 * the browser's cache if possible.
 */
export function openerIsSevered(): Promise<boolean> {
  result ??= fetch(location.href, { method: 'HEAD', cache: 'force-cache', credentials: 'same-origin' }).then(
    ({ headers }) => /^same-origin(?!-allow)/.test(headers.get('cross-origin-opener-policy') ?? ''),
    () => false,
  );
  return result;
}
