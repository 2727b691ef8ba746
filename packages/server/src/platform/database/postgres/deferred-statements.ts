import { isRead } from '../kysely/engine.js';

/** Result of a statement that isn't sent yet, or never is. */
const NOT_SENT = { command: '', rowCount: 0, rows: [] };

/** Ends the SQL of a deferred write. As a comment, the mark gets through all layers between the query and the connection. */
const DEFERRED_MARK = ' /* sent with the next statement */';

/** On PostgreSQL, a deferred write in a transaction is sent together with the next statement or the commit. */
export function asDeferredWrite(text: string): string {
  return `${text}${DEFERRED_MARK}`;
}

/** `position`: number of statements before this one in the same write. PostgreSQL runs them first. */
export type SendStatement<Result> = (
  text: string,
  values: readonly unknown[],
  position?: number,
) => Promise<Result>;

type Statement = readonly [text: string, values: readonly unknown[]];

export interface DeferStatementsOptions<Result> {
  send: SendStatement<Result>;
  inOneWrite(start: () => void): void;
}

/**
 * Sends a transaction's statements together where that's safe. Each write to the connection that it saves also saves
 * waiting for a response.
 *
 * The `begin` waits for the first statement. A read is sent together with it: if the `begin` fails, the read has
 * changed nothing, and its rows are discarded. Any other statement waits until the `begin` has succeeded, since without
 * a transaction it would be committed alone. A transaction without statements isn't sent at all. After a failed
 * `begin`, every statement of the transaction rejects.
 *
 * A deferred write ({@link asDeferredWrite}) resolves at once, with an empty result, and is sent together with the next
 * statement or the commit. If it fails, that statement rejects with its error, and PostgreSQL has ended the
 * transaction. A rollback discards it. Outside a transaction, it's sent at once.
 */
export function deferStatements<Result>({
  send,
  inOneWrite,
}: DeferStatementsOptions<Result>): SendStatement<Result | typeof NOT_SENT> {
  let deferredBegin: string | undefined;
  /** Result of the `begin` that was sent. */
  let begun: Promise<Result> | undefined;
  let deferredWrites: Statement[] = [];
  const sendTogether = (statements: readonly Statement[]): Promise<Result>[] => {
    const results: Promise<Result>[] = [];
    inOneWrite(() => {
      for (const [text, values] of statements) results.push(send(text, values, results.length));
    });
    return results;
  };
  return async (text, values) => {
    const isControl = values.length === 0;
    if (isControl && /^(?:begin|start transaction)\b/.test(text)) {
      deferredBegin = text;
      begun = undefined;
      deferredWrites = [];
      return NOT_SENT;
    }
    const isEnd = isControl && (text === 'commit' || text === 'rollback');
    if (deferredBegin !== undefined) {
      const begin = deferredBegin;
      deferredBegin = undefined;
      if (isEnd) return NOT_SENT;
      if (isRead({ sql: text })) {
        const results = sendTogether([
          [begin, []],
          [text, values],
        ]);
        begun = results[0];
        return await lastOf(results);
      }
      begun = send(begin, []);
    }
    if (text === 'rollback') {
      begun = undefined;
      deferredWrites = [];
    }
    if (begun !== undefined) {
      await begun;
      if (text.endsWith(DEFERRED_MARK)) {
        deferredWrites.push([text, values]);
        return NOT_SENT;
      }
    }
    if (isEnd) begun = undefined;
    if (deferredWrites.length === 0) return await send(text, values);
    const results = sendTogether([...deferredWrites, [text, values]]);
    deferredWrites = [];
    return await lastOf(results);
  };
}

/** Waits for all results and returns the last one. They arrive in this order, so the first error is the one that rejects. */
async function lastOf<Result>(results: readonly Promise<Result>[]): Promise<Result> {
  return (await Promise.all(results)).at(-1) as Result;
}
