import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { latchkey } from './call.js';

const pageOf = (name: string) => readFileSync(join(import.meta.dirname, `../../../docs/${name}.md`), 'utf8');
const codesOf = (name: string) => [...pageOf(name).matchAll(/^### (.+)$/gm)].map(([, code = '']) => code);

it('explains each code of the pages Troubleshooting and Doctor', async () => {
  const listed = await latchkey(['explain', '--json']);
  expect(JSON.parse(listed.out)).toEqual([...codesOf('troubleshooting'), ...codesOf('doctor')]);
  for (const code of JSON.parse(listed.out) as string[]) {
    const { code: exitCode, out } = await latchkey(['explain', code]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(
      new RegExp(`^${code} \\(.+\\)\\n\\n[^]+\\n\\nhttps://github\\.com/.+/docs/\\w+\\.md#${code}$`),
    );
    expect(out, 'a link that works only on the page').not.toMatch(/\]\((?!http)/);
  }
});

it('prints what the page says, with public addresses', async () => {
  const { out } = await latchkey(['explain', 'misconfigured']);
  expect(out).toContain('(Widget: sign-in)');
  expect(out).toContain('A setting of the page or the client is wrong');
  expect(out).toContain(
    'Gating by community (https://github.com/latchkey/latchkey/blob/main/docs/gating.md)',
  );
  const blocked = await latchkey(['explain', 'Popup_Blocked']);
  expect(blocked.out).toContain('(https://github.com/latchkey/latchkey/blob/main/packages/widget/README.md#');
});

it('prints an entry as JSON', async () => {
  expect(JSON.parse((await latchkey(['explain', 'access_denied', '--json'])).out)).toEqual({
    code: 'access_denied',
    group: 'Widget: sign-in',
    text: 'The visitor declined on the consent page.',
    docs: 'https://github.com/latchkey/latchkey/blob/main/docs/troubleshooting.md#access_denied',
  });
});

it.each([
  '#origin_refused',
  'origin_refused.',
  'https://github.com/latchkey/latchkey/blob/main/docs/troubleshooting.md#origin_refused',
  'Latchkey: Sign-in failed. latchkey explain origin_refused',
])('finds the code in %s, as people copy it', async (copied) => {
  expect((await latchkey(['explain', copied])).out).toMatch(/^origin_refused \(/);
});

it.each(['ECONNREFUSED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'Error: getaddrinfo ENOTFOUND shop.example'])(
  'explains what the system reports: %s',
  async (copied) => {
    expect((await latchkey(['explain', copied])).out).toMatch(/^network \(/);
    expect((await latchkey(['explain', 'TEAPOT'])).code).toBe(2);
  },
);

it('suggests the code that was meant', async () => {
  const { code, err } = await latchkey(['explain', 'orgin_refused']);
  expect({ code, err }).toEqual({
    code: 2,
    err: 'Unknown code "orgin_refused". Did you mean origin_refused?',
  });
  expect((await latchkey(['explain', 'teapot'])).err).toBe(
    'Unknown code "teapot". "latchkey explain" lists all codes.',
  );
});
