import { runOf } from '../record/recording.js';
import { MESSAGE_MARKER } from '../service/answers.js';
import { attemptsOf, compareRuns, isDistinguishable, isSameOutcome, outcomeText } from './compare.js';
import { evidenceOf } from './evidence.js';
import { type CallerCheck, failed, joined, notObserved, passed } from './judgement.js';
import { judgeUse, judgeVisit } from './visits.js';

/** Rules about reading the envelope. */
export const envelopeChecks: readonly CallerCheck[] = [
  {
    id: 'versioning.ignore-unknown-fields',
    judge: (recording) =>
      joined(
        compareRuns(recording, {
          label: 'unknown fields',
          problem: (run, control) =>
            isSameOutcome(run, control)
              ? undefined
              : `the answer had unknown fields. The app ${outcomeText(run)}; without them it ${outcomeText(control)}.`,
        }),
        judgeVisit(recording, 'unknown fields', 'Answers with unknown fields break the sign-in.'),
        judgeUse(recording, 'unknown fields'),
      ),
  },
  {
    id: 'envelope.every-key-optional',
    judge: (recording) =>
      joined(
        compareRuns(recording, {
          label: 'data only',
          problem: (run, control) =>
            isSameOutcome(run, control)
              ? undefined
              : `the envelope of the success contained only data. The app ${outcomeText(run)} instead of success.`,
        }),
        compareRuns(recording, {
          label: 'empty failure',
          control: 'status 404',
          // A client that ignores the status is a matter of general.branch-on-status.
          problem: (run, control) =>
            run.outcome.kind === 'success' ||
            runOf(recording, run.action, 'success body in 403')?.outcome.kind === 'success' ||
            isSameOutcome(run, control)
              ? undefined
              : `a 404 had an empty object as its body. The app ${outcomeText(run)}; with a complete body it ${outcomeText(control)}.`,
        }),
      ),
  },
  {
    id: 'envelope.error-code-set-grows',
    judge: (recording) =>
      compareRuns(recording, {
        label: 'unknown code',
        control: 'status 409',
        problem: (run, control) =>
          isSameOutcome(run, control)
            ? undefined
            : `a 409 had the errorCode membership_frozen. The app ${outcomeText(run)}; with the code conflict it ${outcomeText(control)}.`,
      }),
  },
  {
    id: 'versioning.status-controls-flow',
    judge: (recording) =>
      joined(
        compareRuns(recording, {
          label: 'misleading code 409',
          control: 'status 409',
          problem: (run, control) =>
            isSameOutcome(run, control) && attemptsOf(run) === attemptsOf(control)
              ? undefined
              : `a 409 had the errorCode internal_server_error. The app sent ${attemptsOf(run)} requests and ${outcomeText(run)}; with the code conflict it sent ${attemptsOf(control)} and ${outcomeText(control)}.`,
        }),
        compareRuns(recording, {
          label: 'misleading code 500',
          control: '500 once',
          problem: (run, control) =>
            attemptsOf(run) > 1 === attemptsOf(control) > 1
              ? undefined
              : `a 500 had the errorCode conflict. The app sent ${attemptsOf(run)} requests; with internal_server_error it sent ${attemptsOf(control)}.`,
        }),
      ),
  },
  {
    id: 'general.branch-on-status',
    judge: (recording) =>
      joined(
        ...['success body in 403', 'empty failure', 'status 403'].map((label) =>
          compareRuns(recording, {
            label,
            actions: ['provision', 'checkMessenger', 'checkout', 'inviteLink', 'dropSignup'],
            problem: (run, control) =>
              run.outcome.kind === 'success' && !isDistinguishable(run, control)
                ? `the service failed (${label}). The app ${outcomeText(run)} as for a success. If its failures have a status below 400, set "success" in the profile.`
                : undefined,
          }),
        ),
      ),
  },
  {
    id: 'envelope.message-for-developers',
    judge: (recording) => {
      const pages = recording.runs.filter(
        ({ action, driven, outcome }) =>
          driven.length > 0 && outcome.kind === 'failure' && !recording.developerActions.includes(action),
      );
      const wrong = pages.find(({ outcome }) => outcome.text.includes(MESSAGE_MARKER));
      if (wrong !== undefined) {
        const text = `${wrong.action}: the page shows the text of message ("${MESSAGE_MARKER}…"). If only developers see it, set "audience": "developers" in the profile.`;
        return failed(text, evidenceOf(recording, wrong));
      }
      const proof = pages.find(({ exchanges }) =>
        exchanges.some(({ answer }) => answer.body.includes(MESSAGE_MARKER)),
      );
      return proof === undefined
        ? notObserved('no page for users was requested while the service answered with a message')
        : passed(evidenceOf(recording, proof));
    },
  },
  {
    id: 'envelope.failure-inside-success',
    judge: (recording) =>
      joined(
        compareRuns(recording, {
          label: 'success false',
          actions: ['checkout'],
          problem: (run) =>
            run.outcome.kind === 'failure'
              ? undefined
              : `buy-plan answered 201 with success false. The app ${outcomeText(run)}.`,
        }),
        compareRuns(recording, {
          label: 'no bot',
          actions: ['inviteLink'],
          problem: (run) =>
            run.outcome.kind === 'failure'
              ? undefined
              : `the invite link was answered by 200 with success false and data null. The app ${outcomeText(run)}.`,
        }),
        compareRuns(recording, {
          label: 'existing account',
          actions: ['dropSignup'],
          problem: (run, control) =>
            isDistinguishable(run, control)
              ? undefined
              : `the drop signup was answered by 201 with signedUp false. The app ${outcomeText(run)} with the same text as for a signup.`,
        }),
      ),
  },
];
