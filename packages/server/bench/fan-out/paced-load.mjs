import { Agent, request } from 'node:http';

/**
 * Sends requests at a constant rate, whether or not earlier ones are answered, as independent callers do. A response time
 * counts from the instant at which the request was due.
 *
 * @param options.port port of the server on 127.0.0.1.
 * @param options.perSecond requests per second.
 * @param options.next returns the next request: `{ method, path, token, body }`. The body is sent as JSON.
 * @param options.signal ends the load.
 * @returns `{ times, errors }`: the response times in milliseconds, and the number of other responses than 200.
 */
export async function pacedLoad({ port, perSecond, next, signal }) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  const running = new Set();
  let errors = 0;
  const started = performance.now();
  for (let sent = 0; !signal.aborted; ) {
    const due = started + (1000 * sent) / perSecond;
    if (due > performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    sent += 1;
    const answered = send({ agent, port, ...next() })
      .then((status) => {
        times.push(performance.now() - due);
        if (status !== 200) errors += 1;
      })
      .catch(() => {
        errors += 1;
      })
      .finally(() => running.delete(answered));
    running.add(answered);
  }
  await Promise.all(running);
  agent.destroy();
  return { times, errors };
}

function send({ agent, port, method, path, token, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        port,
        method,
        path,
        host: '127.0.0.1',
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(body),
          }),
        },
      },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode));
      },
    );
    sent.once('error', reject);
    sent.end(body);
  });
}
