// Compares the tests that failed with those whose names say that they must.

/**
 * @typedef {{ name: string, failed: boolean }} TestResult
 */

/**
 * @param {TestResult[]} results of a run with one assumption turned around
 * @param {string | undefined} id of the assumption; undefined for a run with none
 * @returns {{ expected: number, missing: string[], unexpected: string[] }} `missing` are tests that name the assumption and
 * passed. `unexpected` are tests that failed and do not name it.
 */
export function compareResults(results, id) {
  const isTagged = ({ name }) => id !== undefined && name.includes(`[assumes ${id}]`);
  const tagged = results.filter(isTagged);
  return {
    expected: tagged.length,
    missing: tagged.filter(({ failed }) => !failed).map(({ name }) => name),
    unexpected: results.filter((result) => result.failed && !isTagged(result)).map(({ name }) => name),
  };
}

/**
 * Reads the JSON report of vitest.
 * @returns {TestResult[]}
 */
export function resultsOfVitest({ testResults }) {
  return testResults.flatMap(({ name: file, status, assertionResults: tests }) => {
    const results = tests
      .filter((test) => ['passed', 'failed'].includes(test.status))
      .map((test) => ({ name: `${file} › ${test.fullName}`, failed: test.status === 'failed' }));
    // A failed file without a failed test did not load, or a hook failed.
    if (status === 'failed' && !results.some(({ failed }) => failed))
      results.push({ name: file, failed: true });
    return results;
  });
}
