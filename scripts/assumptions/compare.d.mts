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
export function resultsOfVitest(report: object): TestResult[];
