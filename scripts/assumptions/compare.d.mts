export interface TestResult {
  name: string;
  failed: boolean;
}

export interface Comparison {
  expected: number;
  missing: string[];
  unexpected: string[];
}

export function compareResults(results: readonly TestResult[], id: string | undefined): Comparison;
export function isExact(comparison: Comparison, id: string | undefined): boolean;
export function resultsOfVitest(report: object): TestResult[];
