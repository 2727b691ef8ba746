/** One server-sent event. */
export interface ServerSentEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
}

/** Reads server-sent events from a response. Ends when the response does. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event !== undefined) yield event;
    }
  }
}

function eventOf(block: string): ServerSentEvent | undefined {
  const fields = new Map(
    block
      .split('\n')
      .filter((line) => !line.startsWith(':'))
      .map((line) => {
        const [name = '', ...rest] = line.split(': ');
        return [name, rest.join(': ')] as const;
      }),
  );
  const data = fields.get('data');
  return data === undefined
    ? undefined
    : { id: fields.get('id') ?? '', type: fields.get('event') ?? '', data };
}
