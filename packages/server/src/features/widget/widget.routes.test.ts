import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReleaseReader, WIDGET_FILES } from './widget.routes.js';

describe('the reader of the widget’s build', () => {
  it('reads and hashes the files once while they stay the same', async ({ onTestFinished }) => {
    const directory = mkdtempSync(join(tmpdir(), 'latchkey-widget-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const read = createReleaseReader(directory);
    expect(await read()).toBeUndefined();
    for (const file of WIDGET_FILES) {
      mkdirSync(dirname(join(directory, file)), { recursive: true });
      writeFileSync(join(directory, file), file);
    }
    const first = await read();
    expect(first?.contents['latchkey.js']).toBe('latchkey.js');
    const again = await Promise.all([read(), read()]);
    expect(again.every((release) => release === first)).toBe(true);
    writeFileSync(join(directory, 'latchkey.js'), 'a new build');
    const next = await read();
    expect(next?.contents['latchkey.js']).toBe('a new build');
    expect(next?.name).not.toBe(first?.name);
  });
});
