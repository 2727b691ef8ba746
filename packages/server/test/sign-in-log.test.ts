import { describe, expect } from 'vitest';
import { it, type SignInWorld } from './sign-in-world.js';

const EMAIL = 'ada@example.com';

function codeOf({ mails }: SignInWorld): string {
  return /\b(\d{6})\b/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

function signInLines({ service }: SignInWorld): Record<string, unknown>[] {
  return service.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ message }) => /^(?:User signed in|Sign-in rejected)/.test(String(message)));
}

describe('log of sign-ins', () => {
  it('has a line with the client address for each right, wrong, used and foreign code', async ({ world }) => {
    const client = world.from('203.0.113.7');
    await client.ask(EMAIL);
    const code = codeOf(world);
    await client.enter(code === '000000' ? '111111' : '000000');
    await client.enter(code);
    await client.enter(code);
    await world.from('198.51.100.9').enter(code);
    const lines = signInLines(world);
    expect(lines.map(({ message, ip }) => [message, ip])).toEqual([
      ['Sign-in rejected: wrong code', '203.0.113.7'],
      ['User signed in', '203.0.113.7'],
      [expect.stringContaining('has expired or was used'), '203.0.113.7'],
      [expect.stringContaining('another browser'), '198.51.100.9'],
    ]);
    expect(lines[1]?.userId).toMatch(/^[0-9a-f-]{36}$/);
    expect(lines.every(({ requestId }) => typeof requestId === 'string')).toBe(true);
  });

  it('has a line when the limit of wrong codes is reached', async ({ world }) => {
    const client = world.from('203.0.113.7');
    for (let round = 0; round < 4; round += 1) {
      await client.ask(EMAIL);
      const wrong = codeOf(world) === '000000' ? '111111' : '000000';
      for (let attempt = 0; attempt < 5; attempt += 1) await client.enter(wrong);
    }
    expect(signInLines(world).at(-1)?.message).toBe('Sign-in rejected: too many wrong codes');
  });

  it('contains neither the code nor the address of the user', async ({ world }) => {
    const client = world.from('203.0.113.7');
    await client.ask(EMAIL);
    const code = codeOf(world);
    await client.enter(code);
    expect(signInLines(world)).toHaveLength(1);
    const text = JSON.stringify(signInLines(world));
    expect(text).not.toContain(code);
    expect(text).not.toContain(EMAIL);
  });
});
