const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the form in which an id of a user is compared. A UUID has no letter case (RFC 9562 section 4), so it is
 * returned in lower case. Any other id is opaque and returned unchanged: two that differ only in case are two users.
 */
export function comparableId(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}
