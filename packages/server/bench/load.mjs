import { connect } from 'node:net';

/**
 * Sends requests on several connections, one request at a time on each. Raw sockets take little processor time and share no
 * code with the measured servers.
 *
 * @param options.port port of the server on 127.0.0.1.
 * @param options.ports ports of several servers, which the connections use in turn. @default only `port`
 * @param options.requests one maker of requests per connection. `next()` returns the text of a request. `answered({ status,
 *   body })` receives the response, and throws if it is wrong.
 * @param options.ms duration in milliseconds.
 * @returns number of responses, responses per second, and the median and 99th percentile of the response times in
 *   milliseconds.
 */
export async function load({ port, ports = [port], requests, ms }) {
  const times = [];
  const started = performance.now();
  const until = started + ms;
  await Promise.all(
    requests.map((maker, index) => keepBusy({ port: ports[index % ports.length], maker, until, times })),
  );
  const seconds = (performance.now() - started) / 1000;
  times.sort((one, other) => one - other);
  return {
    count: times.length,
    perSecond: times.length / seconds,
    p50: times[Math.floor(times.length * 0.5)],
    p99: times[Math.floor(times.length * 0.99)],
  };
}

function keepBusy({ port, maker, until, times }) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let received = '';
    const send = () => {
      sentAt = performance.now();
      // The service answers only to its own host and port.
      socket.write(maker.next().replace('Host: 127.0.0.1\r\n', `Host: 127.0.0.1:${port}\r\n`));
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk;
      const response = readResponse(received);
      if (response === undefined) return;
      received = '';
      const now = performance.now();
      times.push(now - sentAt);
      try {
        maker.answered(response);
      } catch (error) {
        socket.destroy();
        reject(error);
        return;
      }
      if (now < until) send();
      else socket.end(resolve);
    });
  });
}

function readResponse(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  if (text.length < headEnd + 4 + length) return undefined;
  return { status: Number(text.slice(9, 12)), body: text.slice(headEnd + 4, headEnd + 4 + length) };
}
