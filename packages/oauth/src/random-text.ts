/** 256 random bits as 43 characters of base64url (RFC 7636 section 4.1). */
export function randomText(): string {
  return encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** base64url without padding (RFC 4648 section 5). */
export function encodeBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
