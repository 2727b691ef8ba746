export { reportHtml } from './report/html-report.js';
export { reportJunit } from './report/junit-report.js';
export {
  type Check,
  type CheckOutcome,
  type CheckResult,
  type Exchange,
  exitCode,
  type Headers,
  type ReceivedResponse,
  type Report,
  ruleOf,
  type SentRequest,
  type Tally,
  tally,
} from './report/report.js';
export { type ReportTextOptions, reportText } from './report/text-report.js';
