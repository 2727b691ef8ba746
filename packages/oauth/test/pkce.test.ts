import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createPkcePair } from '../src/index.js';

describe('createPkcePair', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('derives the challenge as base64url(SHA-256(verifier))', {
    tags: ['authorize.challenge-derivation'],
  }, async () => {
    const { codeVerifier, codeChallenge } = await createPkcePair();
    expect(codeChallenge).toBe(createHash('sha256').update(codeVerifier).digest('base64url'));
  });

  it('returns two values of 43 unreserved characters', {
    tags: ['token.verifier-length', 'authorize.challenge-length'],
  }, async () => {
    const { codeVerifier, codeChallenge } = await createPkcePair();
    expect(codeVerifier).toMatch(/^[\w-]{43}$/);
    expect(codeChallenge).toMatch(/^[\w-]{43}$/);
  });

  it('returns a new pair on each call', async () => {
    const [one, other] = await Promise.all([createPkcePair(), createPkcePair()]);
    expect(one.codeVerifier).not.toBe(other.codeVerifier);
  });

  it('rejects with advice to use https or localhost on an insecure page', async () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const pair = createPkcePair();
    await expect(pair).rejects.toMatchObject({ code: 'insecure_context' });
    await expect(pair).rejects.toThrow(/https.*localhost/);
  });
});
