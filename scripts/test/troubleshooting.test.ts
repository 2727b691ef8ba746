import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = 'packages/{widget,express,oauth,client,cli,contract,sandbox,server}/src/**/*.ts';
const sources = globSync(SOURCES, { cwd: ROOT, exclude: ['**/testing/**', '**/*.test.ts'] }).map((file) => ({
  file,
  text: readFileSync(join(ROOT, file), 'utf8'),
}));
const page = readFileSync(join(ROOT, 'docs/troubleshooting.md'), 'utf8');
const entries = [...page.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);

/** Types and lists whose members are the codes of errors, by file. */
const CODE_LISTS = [
  ['packages/widget/src/state/login-failure.ts', 'LoginFailureCode'],
  ['packages/widget/src/state/checkout-state.ts', 'CheckoutErrorCode'],
  ['packages/express/src/http/json-error.ts', 'ErrorCode'],
  ['packages/express/src/platform/errors.ts', 'LatchkeyErrorCode'],
  ['packages/express/src/sign-in/sign-in-failure.ts', 'SignInFailure'],
  ['packages/express/src/webhooks/signature.ts', 'WebhookErrorCode'],
  ['packages/oauth/src/oauth-client-error.ts', 'OAuthClientErrorCode'],
  ['packages/client/src/call/latchkey-api-error.ts', 'LatchkeyApiErrorCode'],
  ['packages/server/src/features/operator/operator-checks.ts', 'OperatorErrorCode'],
  ['packages/contract/src/shapes/values.ts', 'OAUTH_ERROR_CODES'],
  ['packages/contract/src/shapes/values.ts', 'ENVELOPE_ERROR_CODES'],
  ['packages/contract/src/shapes/values.ts', 'OAUTH_SERVER_ERROR'],
  ['packages/client/src/call/latchkey-api-error.ts', 'ResponseCode'],
] as const;

/** Declares a type or a list of codes, as literals. */
const LIST = /\b(?:type|const) (\w*(?:Code|Failure|ERROR_CODES|SERVER_ERROR))\b =\s*(?:\[\s*)?\|?\s*'/g;

/** Calls and properties that contain a code. */
const CODE_PLACES = [
  /\blog\('(?:error|warn|info)', '(\w+)'/g,
  /\.(?:error|warn)\(\s*'(\w+)',\s/g,
  /\bdocsUrl\('troubleshooting', '(\w+)'\)/g,
  /new LoginError\(\s*'(\w+)'/g,
  /new WebhookVerificationError\(\s*'(\w+)'/g,
  /new ControlFailure\(\s*'(\w+)'/g,
  /new CommandFailure\([^;]*?\bcode: '(\w+)'/g,
  /\bfailureIn\(json, '(\w+)'/g,
  /new ControlError\([^;]*?\bcode: '(\w+)'/g,
  // The command line explains a failed call with a code of its own.
  /\breturn \{ code: '(\w+)', message: `/g,
  /\bseeDocs\('(\w+)'/g,
  /\{ code = '(\w+)', isJson/g,
];

function listed(file: string, name: string): string[] {
  const { text = '' } = sources.find((source) => source.file === file) ?? {};
  const declaration = new RegExp(`(?:type|const) ${name} =([^;]*);`).exec(text)?.[1] ?? '';
  return [...declaration.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
}

const codes = new Map<string, string>();
for (const [file, name] of CODE_LISTS) {
  for (const code of listed(file, name)) codes.set(code, `${name} of ${file}`);
}
for (const { file, text } of sources) {
  for (const place of CODE_PLACES) {
    for (const [, code = ''] of text.matchAll(place)) codes.set(code, file);
  }
}

describe('docs/troubleshooting.md', () => {
  it.for(CODE_LISTS)('finds the codes of %s, %s', ([file, name]) => {
    expect(listed(file, name)).not.toEqual([]);
  });

  it('knows each list of codes in the sources', () => {
    const known = new Set(CODE_LISTS.map((list) => list.join(' ')));
    const lists = sources.flatMap(({ file, text }) =>
      [...text.matchAll(LIST)].map(([, name = '']) => `${file} ${name}`),
    );
    expect(lists.length).toBeGreaterThan(10);
    expect(lists.filter((list) => !known.has(list))).toEqual([]);
  });

  it('has an entry for each code in the sources', () => {
    const missing = [...codes].filter(([code]) => !entries.includes(code));
    expect(missing.map(([code, place]) => `${code} (${place})`)).toEqual([]);
  });

  it('has no entry without a code in the sources', () => {
    expect(entries.filter((entry) => !codes.has(entry))).toEqual([]);
  });

  it('has each entry once', () => {
    expect(entries).toEqual([...new Set(entries)]);
  });

  it('links from the symptoms to existing entries', () => {
    const anchors = [...page.matchAll(/\]\(#(\w+)\)/g)].map(([, anchor = '']) => anchor);
    expect(anchors.filter((anchor) => !entries.includes(anchor))).toEqual([]);
  });
});

describe('the table of misconfigured', () => {
  const [, entry = ''] = /^### misconfigured\n(.*?)^### /ms.exec(page) ?? [];
  const rows = [...entry.matchAll(/^\| `(.+?)` \|/gm)].map(([, text = '']) => text.split('…'));
  const lines = sources
    .filter(({ file }) => /^packages\/(?:widget|oauth)\//.test(file))
    .flatMap(({ text }) => text.split('\n').filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line)));
  const isIn = (line: string) => (parts: readonly string[]) =>
    parts.every((part) => line.includes(part.trim()));

  it('quotes messages of the widget only', () => {
    expect(rows.length).toBeGreaterThan(10);
    expect(rows.filter((parts) => !lines.some((line) => isIn(line)(parts)))).toEqual([]);
  });

  it('has a row for each of them', () => {
    const raised = sources
      .filter(({ file }) => file.startsWith('packages/widget/'))
      .flatMap(({ text }) => [
        ...text.matchAll(
          /(?:\b(?:misconfigured|problem)\(|'(?:misconfigured|invalid_configuration)',)\s*('[^'\n]{12,}'|`[^`]{12,}`)/g,
        ),
      ])
      .map(([, message = '']) => message)
      // The start of a message that is built here.
      .filter((message) => !message.startsWith('`src="'));
    expect(raised.length).toBeGreaterThan(7);
    expect(raised.filter((message) => !rows.some(isIn(message)))).toEqual([]);
  });
});

describe('messages for owners and operators', () => {
  it('lead to their entry in each log call of the kit', () => {
    const withoutCode = sources
      .filter(({ file }) => file.startsWith('packages/express/src/') && !file.includes('/platform/'))
      .flatMap(({ file, text }) =>
        [...text.matchAll(/\.(?:warn|error)'?\]?\(\s*(['"`])(?!\w+',\s)(.*)/g)].map(
          ([, , start]) => `${file}: ${start}`,
        ),
      );
    expect(withoutCode).toEqual([]);
  });

  it('lead to their entry in the only console call of the widget', () => {
    const calls = sources
      .filter(({ file }) => file.startsWith('packages/widget/src/'))
      .flatMap(({ text }) => [...text.matchAll(/\bconsole(?:\?|\.\w|\[).*/g)].map(([call]) => call));
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatch(/ \$\{help\}`\);$/);
  });
});
