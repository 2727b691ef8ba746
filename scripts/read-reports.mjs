// Reads the reports of the three test runners into one form. A report has one part for each browser, or a single part ''. A
// part is `{ passed, failed, skipped, failures: [{ test, message }] }`.

export function noTests() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

export function readVitest(report) {
  const failures = report.testResults.flatMap(({ name: file, message, status, assertionResults: tests }) => {
    const failed = tests.filter((test) => test.status === 'failed');
    // A failed file without a failed test did not load.
    if (failed.length === 0 && status === 'failed') return [{ test: file, message }];
    return failed.map(({ fullName, failureMessages }) => ({
      test: `${file} › ${fullName}`,
      message: failureMessages.join('\n'),
    }));
  });
  return {
    '': {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
      failures,
    },
  };
}

/** Reads Playwright's report by project. The exit code covers failures outside of tests. */
export function readPlaywright({ suites }) {
  const parts = {};
  const outcomes = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' };
  const read = ({ specs = [], suites: inner = [] }) => {
    for (const { file, line, title, tests } of specs) {
      for (const { projectName, status, results } of tests) {
        parts[projectName] ??= noTests();
        parts[projectName][outcomes[status]] += 1;
        if (status !== 'unexpected') continue;
        const errors = results.flatMap((result) => result.errors);
        const message = errors.map((error) => error.message).join('\n');
        parts[projectName].failures.push({ test: `${file}:${line} › ${title}`, message });
      }
    }
    inner.forEach(read);
  };
  suites.forEach(read);
  return parts;
}

/** Reads @web/test-runner's sessions. There is one session for each file and browser. `names` are those of all tests. */
export function readWebTestRunner(sessions) {
  const parts = {};
  for (const { browser, testFile: file, testResults, errors, status } of sessions) {
    parts[browser.name] ??= { ...noTests(), names: [] };
    const part = parts[browser.name];
    if (testResults) readSuite(testResults, { part, file });
    // A file that did not load has no tests. It counts as one failure.
    if (testResults && errors.length === 0 && status === 'FINISHED') continue;
    part.failed += 1;
    part.failures.push({ test: file, message: errors.map((error) => error.message).join('\n') || status });
  }
  return parts;
}

function readSuite({ name, suites, tests }, { part, file }) {
  const path = name ? `${file} › ${name}` : file;
  for (const { name: title, skipped, passed, error } of tests) {
    part[skipped ? 'skipped' : passed ? 'passed' : 'failed'] += 1;
    part.names.push(`${path} › ${title}`);
    if (!skipped && !passed)
      part.failures.push({ test: `${path} › ${title}`, message: error?.message ?? '' });
  }
  for (const suite of suites) readSuite(suite, { part, file: path });
}
