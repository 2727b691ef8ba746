export type { Check, CheckOutcome, CheckResult } from './report/check.js';
export type { Exchange, Headers, ReceivedResponse, SentRequest } from './report/exchange.js';
export { reportHtml } from './report/html-report.js';
export { reportJunit } from './report/junit-report.js';
export { exitCode, type Report, type Tally, tally } from './report/report.js';
export { ruleOf } from './report/rule.js';
export { type ReportTextOptions, reportText } from './report/text-report.js';
