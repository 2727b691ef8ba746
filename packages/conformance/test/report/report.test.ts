import { exitCode, type Report, reportHtml, reportJunit, reportText } from '@latchkey/conformance';
import { describe, expect, it } from 'vitest';

const hostile = `<script>alert(1)</script> \u001b[2J it's`;
const report: Report = {
  side: 'provider',
  subject: 'https://service.example',
  startedAt: Date.parse('2026-11-23T08:00:00.000Z'),
  finishedAt: Date.parse('2026-11-23T08:00:02.500Z'),
  seed: 42,
  results: [
    { id: 'token.code-grant', outcome: { kind: 'passed' }, roundTrips: [], durationMs: 3 },
    {
      id: 'token.success-created',
      outcome: { kind: 'failed', message: 'expected status 201, got 200' },
      roundTrips: [
        {
          request: {
            method: 'POST',
            url: 'https://service.example/oauth/token',
            headers: { 'content-type': 'application/json' },
            body: `{"code":"${hostile}"}`,
          },
          response: { status: 200, headers: {}, body: hostile },
        },
      ],
      durationMs: 7,
    },
    {
      id: 'credentials.access-token-lifetime',
      outcome: { kind: 'not-run', reason: 'needs fixtures.clock' },
      roundTrips: [],
      durationMs: 0,
    },
    {
      id: 'api-key.stored-as-hash',
      outcome: { kind: 'unobservable', reason: 'no endpoint returns a stored key' },
      roundTrips: [],
      durationMs: 0,
    },
  ],
};

describe('the terminal report', () => {
  it('begins with the failures and ends with the counts', () => {
    const lines = reportText(report).split('\n');
    expect(lines[0]).toBe('FAILED  token.success-created');
    expect(lines.at(-1)).toBe(
      'https://service.example: 1 passed, 1 failed, 1 not run, 1 unobservable, in 2.5 s, seed 42',
    );
    expect(reportText(report)).toContain('needs fixtures.clock: credentials.access-token-lifetime');
  });

  it('escapes control characters of a response', () => {
    expect(reportText(report)).not.toContain('\u001b');
  });

  it('prints a curl command with quotes that a shell reads back', () => {
    expect(reportText(report)).toContain(`it'\\''s"}' 'https://service.example/oauth/token'`);
  });
});

describe('the JUnit report', () => {
  it('counts what did not run as skipped, with the reason', () => {
    const xml = reportJunit(report);
    expect(xml).toContain('tests="4" failures="1" errors="0" skipped="2"');
    expect(xml).toContain('<skipped message="not-run: needs fixtures.clock"/>');
    expect(xml).not.toContain('<script');
    expect(xml).not.toContain('\u001b');
  });
});

describe('the HTML report', () => {
  it('shows the rule, its section and both messages, escaped, without scripts', () => {
    const html = reportHtml(report);
    expect(html).toContain('Success is a 201 with the token pair.');
    expect(html).toContain('Specification: Endpoints / POST /oauth/token');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('\u001b');
  });
});

const unanswered: Report['results'][number] = {
  id: 'userinfo.bearer',
  outcome: { kind: 'not-run', reason: 'no response to GET /oauth/userinfo' },
  roundTrips: [{ request: { method: 'GET', url: 'https://service.example/oauth/userinfo', headers: {} } }],
  durationMs: 1,
};

describe('the exit code', () => {
  it.each([
    ['1 after a failure', report.results, 1],
    ['0 without one', report.results.slice(0, 1), 0],
    ['2 if no check ran', report.results.slice(2), 2],
    ['2 if the service did not respond', [...report.results.slice(0, 1), unanswered], 2],
  ] as const)('is %s', (_, results, code) => {
    expect(exitCode({ results })).toBe(code);
  });
});
