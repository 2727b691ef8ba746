import { randomUUID } from 'node:crypto';

/**
 * Creates an id that is greater than all ids of earlier milliseconds (UUID version 7, RFC 9562, section 5.7). Rows that are
 * inserted together then have neighbouring entries in an index. Random ids would change a page of the index for each row.
 *
 * The id reveals the time of its creation. Use it only where that is no secret.
 *
 * @param now milliseconds since the epoch, from 0 to 2^48 - 1.
 */
export function timeOrderedId(now: number): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
