import type { Budget } from './budgets.d.mts';

export const PAGE_FILE: string;
export const RESULTS_FILE: string;
/** Returns the text of the page for the results in `results.json`. */
export function renderPage(results: object): string;
/** Names of the benchmarks that have a table, in the order of the page. */
export function benchmarksOnPage(): string[];
/** True if the median keeps the budget. */
export function isKept(measured: { median: number }, budget: Budget): boolean;
