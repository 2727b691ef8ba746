import { isRead } from './direct-read.js';

/** Result of a statement that is not sent. */
const NOT_SENT = { command: 'BEGIN', rowCount: 0, rows: [] };

/** Sends one statement on a connection. */
export type SendStatement<Result> = (text: string, values: readonly unknown[]) => Promise<Result>;

/** Options of {@link deferBegin}. */
export interface DeferBeginOptions<Result> {
  send: SendStatement<Result>;
  /** Calls the function and sends all statements that it starts in one write. */
  inOneWrite(start: () => void): void;
}

/**
 * Delays the begin of a transaction until its first statement, which saves a round trip. A first read is sent together with
 * the begin: if the begin fails, the read has changed nothing, and its rows are discarded. Any other statement waits until
 * the begin has succeeded, because without a transaction it would be committed alone.
 *
 * A transaction without statements is not sent at all. After a failed begin, every statement of the transaction rejects.
 */
export function deferBegin<Result>({
  send,
  inOneWrite,
}: DeferBeginOptions<Result>): SendStatement<Result | typeof NOT_SENT> {
  /** Begin that is not sent yet. */
  let deferred: string | undefined;
  /** Result of the begin that was sent. */
  let begun: Promise<Result> | undefined;
  return async (text, values) => {
    const isControl = values.length === 0;
    if (isControl && /^(?:begin|start transaction)\b/.test(text)) {
      deferred = text;
      begun = undefined;
      return NOT_SENT;
    }
    const isEnd = isControl && (text === 'commit' || text === 'rollback');
    if (deferred !== undefined) {
      const begin = deferred;
      deferred = undefined;
      if (isEnd) return NOT_SENT;
      if (isRead({ sql: text })) {
        const sent: Promise<Result>[] = [];
        inOneWrite(() => {
          begun = send(begin, []);
          sent.push(begun, send(text, values));
        });
        // The begin is answered first, so its error is the one that rejects.
        return (await Promise.all(sent))[1] as Result;
      }
      begun = send(begin, []);
    }
    if (text === 'rollback') begun = undefined;
    if (begun !== undefined) await begun;
    if (isEnd) begun = undefined;
    return await send(text, values);
  };
}
