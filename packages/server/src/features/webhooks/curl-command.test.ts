import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { curlCommand } from './delivery.pages.js';

/** Runs a command in a shell with a `curl` that prints its arguments. */
function argumentsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('/bin/sh', ['-c', script]).toString().split('\0').slice(0, -1);
}

describe('curl command of a delivery', () => {
  it.each([
    ['{"a":1}'],
    [`{"name":"O'Brien"}`],
    [`{"name":"'; touch /tmp/x; '"}`],
    ['{"name":"$(id) `id` \\\\ \\" !! #"}'],
    ['@/etc/passwd'],
    ['{"name":"名前 \\u0007"}'],
    [''],
  ])('passes the body %s unchanged', (body) => {
    const args = argumentsOf(curlCommand({ url: 'https://shop.example/hooks?a=1&b=[2]', headers: [], body }));
    expect(args).toEqual([
      '--globoff',
      '--request',
      'POST',
      'https://shop.example/hooks?a=1&b=[2]',
      '--data-raw',
      body,
    ]);
  });

  it('sends the headers, without the length that curl computes', () => {
    const headers = [
      ['Content-Type', 'application/json'],
      ['Content-Length', '2'],
      ['X-Svc-Signature', 'ab'],
      ['X-Odd', "it's; rm -rf ~"],
    ] as const;
    const args = argumentsOf(curlCommand({ url: "https://shop.example/'hooks'", headers, body: '{}' }));
    expect(args).toContain("https://shop.example/'hooks'");
    expect(args.filter((_, index) => args[index - 1] === '--header')).toEqual([
      'Content-Type: application/json',
      'X-Svc-Signature: ab',
      "X-Odd: it's; rm -rf ~",
    ]);
  });
});
