import { expect, it, onTestFinished } from 'vitest';
import { startTarget } from './sandbox-target.js';

it('deletes the webhooks of a run, so that any number of runs fit into a sandbox', async () => {
  const { sandbox, baseUrl, driver } = await startTarget();
  onTestFinished(() => sandbox.close());
  const headers = { authorization: `Bearer ${sandbox.controlToken}` };
  const webhooks = async () =>
    await (await fetch(`${baseUrl}/sandbox/api/data/webhooks`, { headers })).json();
  const before = await webhooks();
  await driver.run('buyProduct', { email: 'ben@example.com', webhookUrl: 'http://127.0.0.1:9/sales' });
  for (let run = 0; run < 11; run += 1) {
    await driver.run('createWebhook', { url: 'http://127.0.0.1:9/webhooks' });
    expect(await webhooks()).not.toEqual(before);
    await driver.close();
  }
  expect(await webhooks()).toEqual(before);
});

it('closes although the sandbox has ended', async () => {
  const { sandbox, driver } = await startTarget();
  await driver.run('createWebhook', { url: 'http://127.0.0.1:9/webhooks' });
  await sandbox.close();
  await driver.close();
});
