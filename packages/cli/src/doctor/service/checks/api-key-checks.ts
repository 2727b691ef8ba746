import type { Answer } from '../../http/probe.js';
import { type Check, type CheckResult, differs, notChecked, ok } from '../report/check.js';
import { fieldsOf, shapeOf, withAnswer } from './answers.js';
import type { ServiceTarget } from './service-target.js';

const ENDPOINTS = ['checkMessenger', 'inviteLink'] as const;

/** The two paths with the name of the messenger must lead to the check of the key. */
const serviceNames: Check<ServiceTarget> = {
  id: 'service-names',
  async run(target) {
    for (const endpoint of ENDPOINTS) {
      const result = await withAnswer(target.withMadeUpKey(endpoint), ({ status }) =>
        status === 401 ? ok('') : wrongNames(status, target.path(endpoint)),
      );
      if (result.kind !== 'ok') return result;
    }
    return ok(`Both paths with the name "${target.input.names.messenger}" reject a made-up API key.`);
  },
};

function wrongNames(status: number, path: string): CheckResult {
  const meaning = `${path} answers a made-up API key with ${status}, not with 401.`;
  return status === 404 || status === 405
    ? differs(
        meaning,
        'Set messenger in serviceNames to the name of the messenger in the paths of this service: check-<name> and join-<name>-community-external.',
      )
    : differs(meaning, 'Compare serviceUrl and serviceNames with the documentation of the service.');
}

const apiKeyRejection: Check<ServiceTarget> = {
  id: 'api-key-rejection',
  run: (target) =>
    withAnswer(target.withMadeUpKey('checkMessenger'), (answer) => {
      const { success, errorCode, message } = fieldsOf(answer.json);
      if (answer.status !== 401) return notChecked('the right names: see service-names.');
      if (success === false && errorCode === undefined && typeof message === 'string')
        return ok('A made-up API key gets the rejection body of the specification.');
      return differs(
        `A made-up API key gets ${shapeOf(answer)}. The specification demands success false and no errorCode.`,
        'Branch on the status 401 of LatchkeyApiError. With an errorCode, its code is "failed" instead of "rejected".',
      );
    }),
};

const apiKeyPrefix: Check<ServiceTarget> = {
  id: 'api-key-prefix',
  run: ({ input: { apiKey, names } }) => {
    if (apiKey === undefined) return notChecked('LATCHKEY_API_KEY.');
    if (apiKey.startsWith(names.apiKeyPrefix)) return ok(`The API key begins with ${names.apiKeyPrefix}.`);
    return differs(
      `The API key does not begin with ${names.apiKeyPrefix}.`,
      'Set apiKeyPrefix in serviceNames to the beginning of the keys of this service, up to the first underscore.',
    );
  },
};

const checkMessenger: Check<ServiceTarget> = {
  id: 'check-messenger',
  run: (target) =>
    withMessengerCheck(target, (answer) => {
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
    }),
};

/** Sends the messenger check if its credentials are present. */
export async function withMessengerCheck(
  target: ServiceTarget,
  read: (answer: Answer) => CheckResult | Promise<CheckResult>,
): Promise<CheckResult> {
  const { apiKey, community, messengerUserId } = target.input;
  if (apiKey === undefined || community === undefined || messengerUserId === undefined)
    return notChecked('LATCHKEY_API_KEY, --community and --messenger-user-id.');
  return await withAnswer(target.checkMessenger({ apiKey, community, messengerUserId }), read);
}

/** Checks of the endpoints with an API key. */
export const API_KEY_CHECKS: readonly Check<ServiceTarget>[] = [
  serviceNames,
  apiKeyRejection,
  apiKeyPrefix,
  checkMessenger,
];
