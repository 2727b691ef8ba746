let asked: Promise<boolean> | undefined;

/**
 * Whether this page's own `Cross-Origin-Opener-Policy` cuts it off from the popups that it opens. Asked only once a popup
 * seems closed, from the browser's cache where it can.
 */
export function openerIsSevered(): Promise<boolean> {
  asked ??= fetch(location.href, { method: 'HEAD', cache: 'force-cache', credentials: 'same-origin' }).then(
    ({ headers }) => /^same-origin(?!-allow)/.test(headers.get('cross-origin-opener-policy') ?? ''),
    () => false,
  );
  return asked;
}
