import type { Row } from '../../../migrations/schema.js';
import type { Database } from '../../../platform/database/open-database.js';
import { textList } from '../../../platform/database/rows.js';
import type { DeliveryRoundTrip } from './delivery-request.js';

export type HeaderLine = readonly [name: string, value: string];

/** The stored part of an attempt's request and response. The endpoint wrote the response, so treat it as untrusted. */
export type StoredRoundTrip = NonNullable<ReturnType<typeof roundTripOf>>;

/** Columns of an attempt with its request and response; all null for an attempt that sent no request. */
export type RoundTripColumns = Pick<
  Row<'webhook_attempts'>,
  'request_url' | 'request_headers' | 'response_headers' | 'response_body' | 'response_bytes'
>;

export const NO_ROUND_TRIP: RoundTripColumns = {
  request_url: null,
  request_headers: null,
  response_headers: null,
  response_body: null,
  response_bytes: null,
};

/** Maximum number of bytes of a response body that are stored. An error message fits. */
const STORED_BODY_BYTES = 2_048;
const STORED_HEADER_CHARACTERS = 2_048;
/** Attempts per delivery with a stored round trip. Resending by hand can add any number of attempts. */
export const STORED_ROUND_TRIPS = 20;

const NOT_STORED: ReadonlySet<string> = new Set(['set-cookie']);

/** Returns the part of a round trip that is stored. The limits keep an endpoint from filling the database. */
export function roundTripColumns({ request, response }: DeliveryRoundTrip): RoundTripColumns {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  return {
    request_url: request.url,
    request_headers: JSON.stringify(headers),
    response_headers: response && JSON.stringify(storedHeaders(response.headers)),
    response_body: response && textOf(response.body.subarray(0, STORED_BODY_BYTES)),
    response_bytes: response?.bytes ?? null,
  };
}

function storedHeaders(received: NonNullable<DeliveryRoundTrip['response']>['headers']): HeaderLine[] {
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
    .set(NO_ROUND_TRIP)
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom(ranked).select('ranked.id').where('position', '>', STORED_ROUND_TRIPS),
    )
    .where('request_url', 'is not', null)
    .execute();
}

export function roundTripOf(row: RoundTripColumns) {
  if (row.request_url === null) return undefined;
  const bytes = row.response_bytes ?? 0;
  return {
    request: { url: row.request_url, headers: headersOf(row.request_headers) },
    /** Null if there was no response. Bytes of the body that aren't valid UTF-8 appear as U+FFFD. */
    response:
      row.response_headers === null
        ? null
        : {
            headers: headersOf(row.response_headers),
            body: row.response_body ?? '',
            bytes,
            isCut: bytes > STORED_BODY_BYTES,
          },
  };
}

function headersOf(json: string | null): readonly HeaderLine[] {
  return json === null ? [] : (JSON.parse(json) as HeaderLine[]);
}
