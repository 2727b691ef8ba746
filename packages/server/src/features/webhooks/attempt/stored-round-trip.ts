import type { IncomingHttpHeaders } from 'node:http';
import type { Database } from '../../../platform/database/open-database.js';
import { textList } from '../../../platform/database/rows.js';
import type { DeliveryRoundTrip } from './delivery-request.js';

export type HeaderLine = readonly [name: string, value: string];

/** The stored part of an attempt's request and response. The endpoint wrote the response, so treat it as untrusted. */
export interface StoredRoundTrip {
  request: { url: string; headers: readonly HeaderLine[] };
  /** Null if there was no response. */
  response: {
    headers: readonly HeaderLine[];
    /** Start of the body as a string. Bytes that aren't valid UTF-8 appear as U+FFFD. */
    body: string;
    bytes: number;
    isCut: boolean;
  } | null;
}

/** Maximum number of bytes of a response body that are stored. An error message fits. */
const STORED_BODY_BYTES = 2_048;
/** Maximum number of characters of all response headers that are stored. */
const STORED_HEADER_CHARACTERS = 2_048;
/**
 * Maximum number of attempts per delivery with a stored round trip. Resending by hand can add any number of attempts.
 */
export const STORED_ROUND_TRIPS = 20;

const NOT_STORED: ReadonlySet<string> = new Set(['set-cookie']);

/** Returns the part of a round trip that is stored. The limits keep an endpoint from filling the database. */
export function storedRoundTripOf({ request, response }: DeliveryRoundTrip): StoredRoundTrip {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  if (response === null) return { request: { url: request.url, headers }, response };
  const { bytes } = response;
  return {
    request: { url: request.url, headers },
    response: {
      headers: storedHeaders(response.headers),
      body: textOf(response.body.subarray(0, STORED_BODY_BYTES)),
      bytes,
      isCut: bytes > STORED_BODY_BYTES,
    },
  };
}

function storedHeaders(received: IncomingHttpHeaders): HeaderLine[] {
  const lines: HeaderLine[] = [];
  let room = STORED_HEADER_CHARACTERS;
  for (const [name, value = ''] of Object.entries(received)) {
    const text = NOT_STORED.has(name) ? '(not stored)' : [value].flat().join(', ');
    room -= name.length + text.length;
    if (room < 0) break;
    lines.push([name, text]);
  }
  return lines;
}

/** Decodes bytes. `stream` drops a character that the limit has cut in two. */
function textOf(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  // PostgreSQL can't store U+0000.
  return text.replaceAll('\0', '\uFFFD');
}

export function roundTripColumns(roundTrip: StoredRoundTrip | undefined) {
  const { request, response } = roundTrip ?? { request: null, response: null };
  return {
    request_url: request?.url ?? null,
    request_headers: request && JSON.stringify(request.headers),
    response_headers: response && JSON.stringify(response.headers),
    response_body: response?.body ?? null,
    response_bytes: response?.bytes ?? null,
  };
}

export async function dropOldRoundTrips(transaction: Database, deliveryIds: readonly string[]) {
  const ranked = transaction
    .selectFrom('webhook_attempts')
    .select('id')
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('delivery_id').orderBy('attempted_at', 'desc').orderBy('id'))
        .as('position'),
    )
    .where('delivery_id', 'in', textList(transaction, deliveryIds))
    .as('ranked');
  await transaction
    .updateTable('webhook_attempts')
    .set(roundTripColumns(undefined))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom(ranked).select('ranked.id').where('position', '>', STORED_ROUND_TRIPS),
    )
    .where('request_url', 'is not', null)
    .execute();
}

export async function findRoundTrips(db: Database, deliveryId: string) {
  const rows = await db
    .selectFrom('webhook_attempts')
    .select(['id', 'request_url', 'request_headers'])
    .select(['response_headers', 'response_body', 'response_bytes'])
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempted_at', 'desc')
    .orderBy('id')
    .limit(STORED_ROUND_TRIPS)
    .execute();
  const roundTrips = new Map<string, StoredRoundTrip>();
  for (const row of rows) {
    if (row.request_url === null) continue;
    const bytes = row.response_bytes ?? 0;
    roundTrips.set(row.id, {
      request: { url: row.request_url, headers: headersOf(row.request_headers) },
      response:
        row.response_headers === null
          ? null
          : {
              headers: headersOf(row.response_headers),
              body: row.response_body ?? '',
              bytes,
              isCut: bytes > STORED_BODY_BYTES,
            },
    });
  }
  return roundTrips;
}

function headersOf(json: string | null): HeaderLine[] {
  return json === null ? [] : (JSON.parse(json) as HeaderLine[]);
}
