import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { prepareSecrets } from './request.js';

describe('the secrets of an attempt', () => {
  it('are ready after they were prepared, and not before', async () => {
    const secrets = prepareSecrets();
    expect(secrets.ready).toBeUndefined();
    const prepared = await secrets.prepare();
    expect(secrets.ready).toBe(prepared);
  });

  it('are a verifier, its challenge and a nonce, each of its own', async () => {
    const { codeVerifier, codeChallenge, nonce } = await prepareSecrets().prepare();
    expect(codeChallenge).toBe(createHash('sha256').update(codeVerifier).digest('base64url'));
    expect(nonce).toMatch(/^[\w-]{22,}$/);
    expect(nonce).not.toBe(codeVerifier);
  });

  it('are prepared once for concurrent calls', async () => {
    const secrets = prepareSecrets();
    const [first, second] = await Promise.all([secrets.prepare(), secrets.prepare()]);
    expect(second).toBe(first);
  });

  it('are taken once: the next attempt has others', async () => {
    const secrets = prepareSecrets();
    const first = await secrets.take();
    expect(secrets.ready).toBeUndefined();
    const second = await secrets.take();
    for (const name of ['codeVerifier', 'codeChallenge', 'nonce'] as const)
      expect(second[name]).not.toBe(first[name]);
  });

  it('are prepared again after a failure', async () => {
    const secrets = prepareSecrets();
    vi.spyOn(crypto.subtle, 'digest').mockRejectedValueOnce(new Error('no cryptography'));
    await expect(secrets.prepare()).rejects.toThrow();
    expect(secrets.ready).toBeUndefined();
    vi.restoreAllMocks();
    expect(await secrets.prepare()).toBe(secrets.ready);
  });
});
