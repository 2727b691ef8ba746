import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BIN, startLatchkey } from './running-latchkey.js';

/** Standard output of `latchkey complete`. */
async function complete(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const latchkey = startLatchkey(['complete', ...args], env);
  expect(await latchkey.ended).toBe(0);
  expect(latchkey.err()).toBe('');
  return latchkey.out();
}

/** The words that a shell is offered for the last argument. */
async function suggestions(...args: string[]): Promise<string[]> {
  const lines = (await complete(['--', ...args], { LATCHKEY_DATABSE: 'x' })).trim().split('\n');
  return lines.slice(0, -1).map((line) => line.split('\t')[0] ?? '');
}

describe('shell completion', () => {
  it.for(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    expect(await complete([shell])).toMatch(/latchkey'? complete '?--/);
  });

  it('works in bash', () => {
    // The first function of the script comes from the package bash-completion, compopt works only inside a completion.
    const script = `
      latchkey() { '${process.execPath}' '${BIN}' "$@"; }
      compopt() { :; }
      _get_comp_words_by_ref() { words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur="\${words[cword]}"; }
      eval "$(latchkey complete bash)"
      COMP_WORDS=(latchkey admin cha); COMP_CWORD=2
      __latchkey_complete
      echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('change\n');
  });

  it('completes commands, flags and the values of flags', async () => {
    expect(await suggestions('s')).toEqual(['serve', 'sandbox', 'snapshot', 'seed']);
    expect(await suggestions('clock', '')).toEqual(expect.arrayContaining(['advance', 'to', 'next']));
    expect(await suggestions('admin', 'create', 'cl')).toEqual(['client']);
    expect(await suggestions('serve', '--log')).toEqual(['--log-level', '--log-url']);
    expect(await suggestions('serve', '--log-level', 'w')).toEqual(['warn']);
    expect(await suggestions('admin', 'create', 'user', '--em')).toEqual(['--email']);
  });
});
