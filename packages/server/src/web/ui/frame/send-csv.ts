import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';

/**
 * Streams a CSV file as a download. A download that the user cancels is not an error.
 *
 * @param name file name without its extension.
 */
export async function sendCsv(response: Response, name: string, lines: AsyncIterable<string>): Promise<void> {
  response
    .status(200)
    .set('Cache-Control', 'no-store')
    .set('Content-Disposition', `attachment; filename="${name}.csv"`)
    .type('text/csv; charset=utf-8');
  try {
    await pipeline(Readable.from(lines), response);
  } catch (error) {
    if (!(response.destroyed && isPrematureClose(error))) throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
