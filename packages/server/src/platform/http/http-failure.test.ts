import express, { Router } from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failAs, sendFailure } from './http-failure.js';

describe('a failure', () => {
  it('whose format throws closes the connection, and the server goes on', async () => {
    const app = express();
    const failures = Router();
    failures.use(
      failAs(() => {
        throw new Error('broken format');
      }),
    );
    app.get('/fails', (request, response) => {
      response.locals.failures = failures;
      sendFailure(request, response, { status: 400, message: 'No.' });
    });
    app.get('/works', (_request, response) => void response.send('yes'));
    const server = app.listen(0);
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    await expect(fetch(`http://127.0.0.1:${port}/fails`)).rejects.toThrow('fetch failed');
    expect(await (await fetch(`http://127.0.0.1:${port}/works`)).text()).toBe('yes');
  });
});
