// Constants and rules that every package needs. Browsers import this file, so it must not import zod.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A UUID in any letter case. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the form in which an id is compared. A UUID has no letter case (RFC 9562 section 4), so it's returned in lower
 * case. Any other id is opaque and returned unchanged: two that differ only in case are two ids.
 */
export function comparableId(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}

const LOOPBACK_HOST = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** True for an address of this machine. */
export function isLoopback({ hostname }: { readonly hostname: string }): boolean {
  return LOOPBACK_HOST.test(hostname);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a string for HTML, also inside of quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
