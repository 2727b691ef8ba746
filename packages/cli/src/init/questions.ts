import { createInterface } from 'node:readline/promises';
import type * as z from 'zod';
import { CommandFailure } from '../command-line/command-failure.js';

/** A terminal to ask in. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks until the answer is valid. An empty answer is the default. */
export type Ask = <Schema extends z.ZodType<unknown, string>>(
  question: string,
  schema: Schema,
  otherwise: string,
) => Promise<z.output<Schema>>;

/**
 * Runs a dialog.
 *
 * @throws CommandFailure if the user ends it with Ctrl-C or Ctrl-D.
 */
export async function withQuestions<Result>(
  terminal: Terminal,
  dialog: (ask: Ask) => Promise<Result>,
): Promise<Result> {
  const lines = createInterface({ ...terminal });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  const ask: Ask = async (question, schema, otherwise) => {
    for (;;) {
      const text = await lines.question(`${question} (${otherwise}) `, { signal: closed.signal });
      const answer = schema.safeParse(text.trim() || otherwise);
      if (answer.success) return answer.data;
      terminal.output.write(`  ${answer.error.issues[0]?.message}\n`);
    }
  };
  try {
    return await dialog(ask);
  } catch (error) {
    if (closed.signal.aborted) throw new CommandFailure('Nothing was written.', { cause: error });
    throw error;
  } finally {
    lines.close();
  }
}
