import { connect } from 'node:net';

/**
 * Keeps a number of connections busy for a while, each with one request at a time. A raw socket costs a fraction of what
 * the servers under load do, and shares no code with them.
 *
 * @param options.port where the server listens on 127.0.0.1.
 * @param options.requests one maker of requests for each connection: `next()` gives the text of one, `answered({ status,
 *   body })` hears what became of it and throws when that is wrong.
 * @param options.ms for how long.
 * @returns how many requests were answered, how many per second, and the median and the 99th percentile of their times in milliseconds.
 */
export async function load({ port, requests, ms }) {
  const times = [];
  const started = performance.now();
  const until = started + ms;
  await Promise.all(requests.map((maker) => keepBusy({ port, maker, until, times })));
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
      socket.write(maker.next());
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      received += chunk;
      const answer = readAnswer(received);
      if (answer === undefined) return;
      received = '';
      const now = performance.now();
      times.push(now - sentAt);
      try {
        maker.answered(answer);
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

function readAnswer(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0);
  if (text.length < headEnd + 4 + length) return undefined;
  return { status: Number(text.slice(9, 12)), body: text.slice(headEnd + 4, headEnd + 4 + length) };
}
