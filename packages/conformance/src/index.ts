export { reportHtml, reportJunit } from './report/html-report.js';
export {
  type Check,
  type CheckOutcome,
  type CheckResult,
  exitCode,
  type Headers,
  type ReceivedResponse,
  type Report,
  type RoundTrip,
  ruleOf,
  type SentRequest,
  type Tally,
  tally,
} from './report/report.js';
export { type ReportTextOptions, reportText } from './report/text-report.js';
