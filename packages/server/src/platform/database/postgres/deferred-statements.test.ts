import { describe, expect, it } from 'vitest';
import { asDeferredWrite, deferStatements } from './deferred-statements.js';

const BEGIN = 'start transaction isolation level serializable';

/** A connection that records what is sent. Statements succeed when the test says so, or fail if `failing` contains them. */
function openConnection({ failing = [] as string[] } = {}) {
  const sent: string[] = [];
  let isOneWrite = false;
  const query = deferStatements<{ rows: string[] }>({
    async send(marked) {
      const text = marked.replace(/ \/\*.*/, '');
      sent.push(isOneWrite ? `together: ${text}` : text);
      await Promise.resolve();
      if (failing.includes(text)) throw new Error(`failed: ${text}`);
      return { rows: [text] };
    },
    inOneWrite(start) {
      isOneWrite = true;
      start();
      isOneWrite = false;
    },
  });
  return { sent, query: (text: string, values: unknown[] = []) => query(text, values) };
}

describe('begin of a transaction', () => {
  it('is sent together with a first read', async () => {
    const { query, sent } = openConnection();
    await query(BEGIN);
    expect(sent).toEqual([]);
    expect(await query('select 1', [1])).toEqual({ rows: ['select 1'] });
    await query('update a', [1]);
    await query('commit');
    expect(sent).toEqual([`together: ${BEGIN}`, 'together: select 1', 'update a', 'commit']);
  });

  it('succeeds before a first write is sent', async () => {
    const { query, sent } = openConnection();
    await query(BEGIN);
    const writing = query('update a', [1]);
    expect(sent).toEqual([BEGIN]);
    await writing;
    expect(sent).toEqual([BEGIN, 'update a']);
  });

  it('succeeds before statements that start together with the first one', async () => {
    for (const first of ['select 1', 'update a']) {
      const { query, sent } = openConnection();
      await query(BEGIN);
      const running = [query(first, [1]), query('update b', [1])];
      expect(sent).not.toContain('update b');
      await Promise.all(running);
      expect(sent.at(-1)).toBe('update b');
    }
  });

  it.for(['select 1', 'update a'])(
    'that fails rejects "%s" and all later statements, and no write is sent',
    async (first) => {
      const { query, sent } = openConnection({ failing: [BEGIN] });
      await query(BEGIN);
      const results = await Promise.allSettled([query(first, [1]), query('update b', [1])]);
      results.push(...(await Promise.allSettled([query('insert c', [1]), query('commit')])));
      expect(results.map((result) => result.status === 'rejected' && result.reason.message)).toEqual(
        Array.from({ length: 4 }, () => `failed: ${BEGIN}`),
      );
      expect(sent.filter((text) => /update|insert|commit/.test(text))).toEqual([]);
      await query('rollback');
      await query('update d', [1]);
      expect(sent.slice(-2)).toEqual(['rollback', 'update d']);
    },
  );

  it.for(['commit', 'rollback'])(
    'is not sent if the transaction ends with "%s" before a statement',
    async (end) => {
      const { query, sent } = openConnection();
      await query(BEGIN);
      await query(end);
      expect(sent).toEqual([]);
      await query('update a', [1]);
      expect(sent).toEqual(['update a']);
    },
  );

  it('belongs to the next transaction only', async () => {
    const { query, sent } = openConnection();
    for (const word of ['a', 'b']) {
      await query(BEGIN);
      await query(`update ${word}`, [1]);
      await query('commit');
    }
    expect(sent).toEqual([BEGIN, 'update a', 'commit', BEGIN, 'update b', 'commit']);
  });
});

describe('deferred write', () => {
  const write = asDeferredWrite('insert a');

  async function begunConnection(options?: { failing: string[] }) {
    const connection = openConnection(options);
    await connection.query(BEGIN);
    await connection.query('select 1', [1]);
    connection.sent.length = 0;
    return connection;
  }

  it('is sent together with the next statement, which returns its own result', async () => {
    const { query, sent } = await begunConnection();
    expect(await query(write, [1])).toMatchObject({ rows: [], rowCount: 0 });
    expect(sent).toEqual([]);
    expect(await query('select 2', [1])).toEqual({ rows: ['select 2'] });
    await query('commit');
    expect(sent).toEqual(['together: insert a', 'together: select 2', 'commit']);
  });

  it('is sent together with the commit, in the order of the writes', async () => {
    const { query, sent } = await begunConnection();
    await query(write, [1]);
    await query(asDeferredWrite('update b'), [1]);
    await query('commit');
    expect(sent).toEqual(['together: insert a', 'together: update b', 'together: commit']);
  });

  it.for(['select 2', 'update b', 'commit'])('that fails rejects "%s" with its error', async (next) => {
    const { query } = await begunConnection({ failing: ['insert a', next] });
    await query(write, [1]);
    await expect(query(next, next === 'commit' ? [] : [1])).rejects.toThrow('failed: insert a');
  });

  it('is not sent after a rollback, nor in the next transaction', async () => {
    const { query, sent } = await begunConnection();
    await query(write, [1]);
    await query('rollback');
    await query(BEGIN);
    await query('update b', [1]);
    await query('commit');
    expect(sent).toEqual(['rollback', BEGIN, 'update b', 'commit']);
  });

  it('waits for its own result outside of a transaction', async () => {
    const { query, sent } = openConnection();
    expect(await query(write, [1])).toEqual({ rows: ['insert a'] });
    expect(sent).toEqual(['insert a']);
  });

  it('that is the first statement of a transaction waits for the begin', async () => {
    const { query, sent } = openConnection({ failing: [BEGIN] });
    await query(BEGIN);
    await expect(query(write, [1])).rejects.toThrow(`failed: ${BEGIN}`);
    expect(sent).toEqual([BEGIN]);
  });
});
