import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends the lines of a request unchanged, one byte for each character. Returns the head and the body of the response. */
export async function sendLines(
  url: string,
  lines: readonly string[],
): Promise<{ status: number; head: string; body: string }> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = once(socket, 'close');
  // The socket is not ended, because a half-closed connection receives no delayed response.
  socket.write([...lines, `Host: ${host}`, 'Connection: close', '', ''].join('\r\n'), 'latin1');
  await closed;
  const end = text.indexOf('\r\n\r\n');
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
    head: text.slice(0, end),
    body: text.slice(end + 4),
  };
}
