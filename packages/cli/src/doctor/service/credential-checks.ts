import type { Answer } from '../http/probe.js';
import {
  answered,
  type Check,
  CheckEnd,
  type CheckResult,
  differs,
  fieldsOf,
  notChecked,
  ok,
  shapeOf,
} from './check.js';
import type { ServiceTarget } from './service-target.js';

/** Checks of the endpoints with an API key. */
export const API_KEY_CHECKS: readonly Check[] = [
  {
    id: 'service-names',
    async run(target) {
      // The two paths with the name of the messenger must lead to the check of the key.
      for (const endpoint of ['checkMessenger', 'inviteLink'] as const) {
        const { status } = answered(await target[endpoint]());
        if (status === 401) continue;
        const meaning = `${target.paths[endpoint]} answers a made-up API key with ${status}, not with 401.`;
        return status === 404 || status === 405
          ? differs(
              meaning,
              'Set messenger in serviceNames to the name of the messenger in the paths of this service: check-<name> and join-<name>-community-external.',
            )
          : differs(meaning, 'Compare serviceUrl and serviceNames with the documentation of the service.');
      }
      const { messenger } = target.input.serviceNames;
      return ok(`Both paths with the name "${messenger}" reject a made-up API key.`);
    },
  },
  {
    id: 'api-key-rejection',
    async run(target) {
      const answer = answered(await target.checkMessenger());
      const { success, errorCode, message } = fieldsOf(answer.json);
      if (answer.status !== 401) return notChecked('the right names: see service-names.');
      if (success === false && errorCode === undefined && typeof message === 'string')
        return ok('A made-up API key gets the rejection body of the specification.');
      return differs(
        `A made-up API key gets ${shapeOf(answer)}. The specification demands success false and no errorCode.`,
        'Branch on the status 401 of LatchkeyApiError. With an errorCode, its code is "failed" instead of "rejected".',
      );
    },
  },
  {
    id: 'api-key-prefix',
    run: ({ input: { apiKey, serviceNames } }) => {
      const { apiKeyPrefix } = serviceNames;
      if (apiKey === undefined) return notChecked('LATCHKEY_API_KEY.');
      if (apiKey.startsWith(apiKeyPrefix)) return ok(`The API key begins with ${apiKeyPrefix}.`);
      return differs(
        `The API key does not begin with ${apiKeyPrefix}.`,
        'Set apiKeyPrefix in serviceNames to the beginning of the keys of this service, up to the first underscore.',
      );
    },
  },
  {
    id: 'check-messenger',
    async run(target) {
      const answer = await messengerCheck(target);
      const { success, data } = fieldsOf(answer.json);
      if (answer.status === 401)
        return differs(
          'The service rejects the API key.',
          'Create a key in the developer area of this service.',
        );
      if (answer.status === 403) {
        return differs(
          'The API key may not check members of this community.',
          'Use a key with MEMBERSHIP_READ, of an OWNER or ADMIN of the community.',
        );
      }
      if (answer.status === 404) {
        return differs(
          'The service does not know the community.',
          'Compare --community with the seller area.',
        );
      }
      const { isActive } = fieldsOf(data);
      if (answer.status === 200 && success !== false && typeof isActive === 'boolean')
        return ok(
          `The API key works. The messenger account ${isActive ? 'has' : 'has no'} active membership.`,
        );
      return differs(
        `The messenger check has another form: ${shapeOf(answer)}.`,
        'checkMessenger() of @latchkey/client cannot read this answer. Report the form with the version of Latchkey.',
      );
    },
  },
];

/** Sends the messenger check. @throws CheckEnd without its credentials. */
async function messengerCheck(target: ServiceTarget): Promise<Answer> {
  const { apiKey, community, messengerUserId } = target.input;
  if (apiKey === undefined || community === undefined || messengerUserId === undefined)
    throw new CheckEnd(notChecked('LATCHKEY_API_KEY, --community and --messenger-user-id.'));
  return answered(await target.checkMessenger(apiKey, community, messengerUserId));
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Limits of `limitAnswers` in @latchkey/oauth, in bytes. */
const ANSWER_MAX_BYTES = 1_000_000;
const MEMBERSHIPS_MAX_BYTES = 16_000_000;

/** Checks with the access token of a test account. */
export const ACCOUNT_CHECKS: readonly Check[] = [
  {
    id: 'userinfo',
    async run(target) {
      const answer = await resource(target, 'userinfo');
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
    },
  },
  {
    id: 'membership-list',
    async run(target) {
      const rows = (await listedMemberships(target)).map(fieldsOf);
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
    },
  },
  {
    id: 'membership-id-shared',
    assumption: 'membership-id-shared',
    async run(target) {
      const memberships = await listedMemberships(target);
      const { json } = await messengerCheck(target);
      const { membershipId } = fieldsOf(fieldsOf(json).data);
      if (typeof membershipId !== 'string')
        return notChecked(
          'a test account whose messenger account has an active membership of the community.',
        );
      const isSame = (id: unknown) =>
        typeof id === 'string' && id.toLowerCase() === membershipId.toLowerCase();
      if (memberships.some((row) => isSame(fieldsOf(row).id)))
        return ok('The OAuth list contains the membership of the messenger check, by the same id.');
      return differs(
        'The OAuth list does not contain the membershipId of the messenger check.',
        'First check that both belong to one person. If they do, the ids differ: directory entries from provisioning, checks and webhooks open no gate. Record the ids of the OAuth list with auth.directory.record().',
      );
    },
  },
  {
    id: 'answer-size',
    assumption: 'body-size',
    async run(target) {
      const account = sizeResult(await resource(target, 'userinfo'), ANSWER_MAX_BYTES);
      if (account.kind !== 'ok') return account;
      return sizeResult(await resource(target, 'memberships'), MEMBERSHIPS_MAX_BYTES);
    },
  },
];

function sizeResult({ size }: Answer, limit: number): CheckResult {
  if (size <= limit) return ok(`The answers have at most ${size} of ${limit} bytes.`);
  return differs(
    `An answer has ${size} bytes, more than the limit of ${limit}.`,
    'The kit rejects it. Wrap fetch in a function that removes what the app does not need, and pass it to latchkey().',
  );
}

/** @throws CheckEnd without a token that the service accepts. */
async function resource(target: ServiceTarget, endpoint: 'userinfo' | 'memberships'): Promise<Answer> {
  const end = (result: CheckResult) => new CheckEnd(result);
  const { accessToken } = target.input;
  if (accessToken === undefined) throw end(notChecked('LATCHKEY_ACCESS_TOKEN of a test account.'));
  const answer = answered(await target.resource(endpoint, accessToken));
  if (answer.status === 401)
    throw end(notChecked('an access token that has not expired: tokens last an hour.'));
  if (answer.status === 403) throw end(notChecked('an access token with the scope memberships.read.'));
  if (answer.status === 200) return answer;
  throw end(
    differs(
      `${endpoint} answers with ${shapeOf(answer)}.`,
      'Compare serviceUrl with the documentation of the service.',
    ),
  );
}

async function listedMemberships(target: ServiceTarget): Promise<readonly unknown[]> {
  const answer = await resource(target, 'memberships');
  const { memberships } = fieldsOf(answer.json);
  if (Array.isArray(memberships)) return memberships;
  throw new CheckEnd(
    differs(
      `The list of memberships has another form: ${shapeOf(answer)}.`,
      'No gate can open. Report the form with the version of Latchkey.',
    ),
  );
}
