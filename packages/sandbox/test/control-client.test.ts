import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { ControlClient, type ControlError } from '../src/control/client.js';
import { it } from './sandbox-under-test.js';

type Service = { baseUrl: string; server: { controlToken: string } };

const clientOf = ({ baseUrl, server }: Service) =>
  new ControlClient({ origin: baseUrl, token: server.controlToken });

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    ({ code, status, fields }: ControlError) => ({ code, status, fields }),
  );

describe('the client of the control API', () => {
  it('puts the input of a call into its path, its query or its body', async ({ service }) => {
    const control = clientOf(service);
    const { id } = await control.call('POST /faults', { effect: { kind: 'reset' }, times: 2 });
    expect((await control.call('GET /faults')).faults).toMatchObject([{ id, times: 2 }]);
    expect(await control.call('DELETE /faults/{id}', { id })).toBeUndefined();
    const { users } = await control.call('GET /data/{kind}', { kind: 'users', text: '', limit: 1 });
    expect(users).toHaveLength(1);
    const { record } = await control.call('GET /data/{kind}/{id}', {
      kind: 'users',
      id: String(users?.[0]?.id),
    });
    expect(record).toMatchObject(users?.[0] ?? {});
    const text = '100% a&b=c';
    expect((await control.call('GET /requests', { text, limit: 1 })).requests).toEqual([]);
    expect(await failureOf(control.call('GET /events/{id}', { id: '../clock' }))).toMatchObject({
      code: 'not_found',
    });
  });

  it('throws the failure of the API, with the fields that are wrong', async ({ service }) => {
    const wrong = clientOf(service).call('POST /clock', { duration: '31x' });
    expect(await failureOf(wrong)).toMatchObject({
      ...{ code: 'invalid_input', status: 400 },
      fields: { duration: expect.stringContaining('a whole number and a unit') },
    });
    const stranger = new ControlClient({ origin: service.baseUrl, token: 'wrong' }).call('GET /clock');
    expect(await failureOf(stranger)).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('rejects other programs, and one that is gone', async ({ onTestFinished }) => {
    const server = createServer((_, response) => void response.end('{"serviceTime":"2026-01-01"}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const call = () => failureOf(new ControlClient({ origin, token: 'x' }).call('GET /clock'));
    expect(await call()).toMatchObject({ code: 'not_a_sandbox', status: 200 });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await call()).toMatchObject({ code: 'unreachable', status: 0 });
  });
});
