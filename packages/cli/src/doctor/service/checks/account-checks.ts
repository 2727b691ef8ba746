import type { Answer } from '../../http/probe.js';
import { type Check, type CheckResult, differs, notChecked, ok } from '../report/check.js';
import { fieldsOf, shapeOf, withAnswer } from './answers.js';
import { withMessengerCheck } from './api-key-checks.js';
import type { ServiceTarget } from './service-target.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Limits of `limitAnswers` in @latchkey/oauth, in bytes. */
const ANSWER_MAX_BYTES = 1_000_000;
const MEMBERSHIPS_MAX_BYTES = 16_000_000;

const userinfo: Check<ServiceTarget> = {
  id: 'userinfo',
  run: (target) =>
    withResource(target, 'userinfo', (answer) => {
      const { sub, email } = fieldsOf(answer.json);
      if (typeof sub !== 'string' || sub === '') {
        return differs(
          `Userinfo has another form: ${shapeOf(answer)}, without sub.`,
          'Nobody can sign in without sub. Report the form with the version of Latchkey.',
        );
      }
      const form = UUID.test(sub) ? 'a UUID' : 'not a UUID, which the packages accept';
      const address =
        typeof email === 'string' ? 'has an address' : 'has no address, so a checkout asks for one';
      return ok(`sub is ${form}. The account ${address}.`);
    }),
};

const membershipList: Check<ServiceTarget> = {
  id: 'membership-list',
  run: (target) =>
    withMemberships(target, (memberships) => {
      const rows = memberships.map(fieldsOf);
      if (rows.some(({ id }) => typeof id !== 'string' || id === '')) {
        return differs(
          'A membership of the list has no id.',
          'Gates cannot recognise such a membership. Report the form with the version of Latchkey.',
        );
      }
      const ends = rows
        .map(({ validUntil }) => validUntil)
        .filter((end) => end !== undefined && end !== null);
      if (ends.some((end) => typeof end !== 'string' || Number.isNaN(Date.parse(end)))) {
        return differs(
          'A validUntil is not an ISO-8601 time.',
          'Such a membership counts as expired. Report the form with the version of Latchkey.',
        );
      }
      const others = rows.filter(({ id }) => !UUID.test(String(id))).length;
      return ok(
        `${rows.length} memberships, ${ends.length} with an end, ${others} whose id is not a UUID. Ids are compared without case if they are UUIDs.`,
      );
    }),
};

const membershipIdShared: Check<ServiceTarget> = {
  id: 'membership-id-shared',
  assumption: 'membership-id-shared',
  run: (target) =>
    withMemberships(target, (memberships) =>
      withMessengerCheck(target, ({ json }) => {
        const { membershipId } = fieldsOf(fieldsOf(json).data);
        if (typeof membershipId !== 'string')
          return notChecked(
            'a test account whose messenger account has an active membership of the community.',
          );
        const isListed = memberships.some((row) => sameId(fieldsOf(row).id, membershipId));
        if (isListed)
          return ok('The OAuth list contains the membership of the messenger check, by the same id.');
        return differs(
          'The OAuth list does not contain the membershipId of the messenger check.',
          'First check that both belong to one person. If they do, the ids differ: directory entries from provisioning, checks and webhooks open no gate. Record the ids of the OAuth list with auth.directory.record().',
        );
      }),
    ),
};

function sameId(a: unknown, b: string): boolean {
  return typeof a === 'string' && a.toLowerCase() === b.toLowerCase();
}

const answerSize: Check<ServiceTarget> = {
  id: 'answer-size',
  assumption: 'body-size',
  run: async (target) => {
    const account = await withResource(target, 'userinfo', (answer) => sizeResult(answer, ANSWER_MAX_BYTES));
    if (account.kind !== 'ok') return account;
    return await withResource(target, 'memberships', (answer) => sizeResult(answer, MEMBERSHIPS_MAX_BYTES));
  },
};

function sizeResult({ size }: Answer, limit: number): CheckResult {
  if (size <= limit) return ok(`The answers have at most ${size} of ${limit} bytes.`);
  return differs(
    `An answer has ${size} bytes, more than the limit of ${limit}.`,
    'The kit rejects it. Wrap fetch in a function that removes what the app does not need, and pass it to latchkey().',
  );
}

async function withResource(
  target: ServiceTarget,
  endpoint: 'userinfo' | 'memberships',
  read: (answer: Answer) => CheckResult | Promise<CheckResult>,
): Promise<CheckResult> {
  const { accessToken } = target.input;
  if (accessToken === undefined) return notChecked('LATCHKEY_ACCESS_TOKEN of a test account.');
  return await withAnswer(target.resource(endpoint, accessToken), (answer) => {
    if (answer.status === 401)
      return notChecked('an access token that has not expired: tokens last an hour.');
    if (answer.status === 403) return notChecked('an access token with the scope memberships.read.');
    return answer.status === 200
      ? read(answer)
      : differs(
          `${endpoint} answers with ${shapeOf(answer)}.`,
          'Compare serviceUrl with the documentation of the service.',
        );
  });
}

function withMemberships(
  target: ServiceTarget,
  read: (memberships: readonly unknown[]) => CheckResult | Promise<CheckResult>,
): Promise<CheckResult> {
  return withResource(target, 'memberships', (answer) => {
    const { memberships } = fieldsOf(answer.json);
    if (Array.isArray(memberships)) return read(memberships);
    return differs(
      `The list of memberships has another form: ${shapeOf(answer)}.`,
      'No gate can open. Report the form with the version of Latchkey.',
    );
  });
}

/** Checks with the access token of a test account. */
export const ACCOUNT_CHECKS: readonly Check<ServiceTarget>[] = [
  userinfo,
  membershipList,
  membershipIdShared,
  answerSize,
];
