import type { Answer } from '../../http/probe.js';
import { type Check, differs, notChecked, ok } from '../report/check.js';
import { shapeOf, withAnswer } from './answers.js';
import type { ServiceTarget } from './service-target.js';

/** Difference of clocks, in milliseconds, above which the check reports it. */
const CLOCK_LIMIT_MS = 60_000;
/** Precision of the header `Date`, in milliseconds. */
const DATE_PRECISION_MS = 1_000;

const reachable: Check<ServiceTarget> = {
  id: 'reachable',
  async run(target) {
    const probe = await target.identityOfUnknownClient();
    if (probe.kind === 'answer') return ok(`The service answers: ${shapeOf(probe.answer)}.`);
    return differs(
      `No answer from ${target.input.baseUrl}: ${probe.reason}.`,
      'Compare serviceUrl with the address in the documentation of the service, and check the network and the proxy.',
    );
  },
};

const https: Check<ServiceTarget> = {
  id: 'https',
  run: ({ input: { baseUrl } }) =>
    baseUrl.startsWith('https:')
      ? ok('Requests are encrypted. If the service answers, Node.js has verified its certificate.')
      : notChecked('an https URL. This one is a loopback address, which may use http.'),
};

const baseUrlFinal: Check<ServiceTarget> = {
  id: 'base-url-final',
  run: (target) =>
    withAnswer(target.identityOfUnknownClient(), (answer) => {
      if (!isRedirect(answer)) return ok('The base URL answers without a redirect.');
      const location = answer.headers.get('location');
      return differs(
        'The base URL redirects. No package of Latchkey follows a redirect, which would send credentials along.',
        `Set serviceUrl to the final address${location === null ? '' : `. The redirect leads to ${originOf(location, target)}`}.`,
      );
    }),
};

const isRedirect = ({ status }: Answer) => status >= 300 && status < 400;

function originOf(location: string, { input: { baseUrl } }: ServiceTarget): string {
  return URL.canParse(location, baseUrl) ? new URL(location, baseUrl).origin : 'no valid URL';
}

const unknownPath: Check<ServiceTarget> = {
  id: 'unknown-path',
  run: (target) =>
    withAnswer(target.unknownPath(), (answer) =>
      answer.status === 404
        ? ok('A path that does not exist answers with 404, so the paths of the endpoints can be checked.')
        : differs(
            `A path that does not exist answers with ${shapeOf(answer)}.`,
            'Compare serviceUrl with the address of the API: this may be the address of a website.',
          ),
    ),
};

const clock: Check<ServiceTarget> = {
  id: 'clock',
  assumption: 'clock-agreement',
  run: (target) =>
    withAnswer(target.identityOfUnknownClient(), ({ headers, sentAt, receivedAt }) => {
      const date = Date.parse(headers.get('date') ?? '');
      if (Number.isNaN(date)) return notChecked('a header Date in the answers of the service.');
      // The service sent the header between the request and the response, and cut off the fraction of a second.
      const behind = Math.max(0, date - receivedAt);
      const ahead = Math.max(0, sentAt - date - DATE_PRECISION_MS);
      const difference = Math.max(behind, ahead);
      const seconds = Math.round(difference / 1000);
      if (difference <= CLOCK_LIMIT_MS)
        return ok(`The clocks of this machine and of the service differ by at most ${seconds + 1} s.`);
      return differs(
        `The clock of this machine is ${seconds} s ${behind > 0 ? 'behind' : 'ahead of'} that of the service.`,
        'Synchronize the clock of this machine (NTP). If the clock of the service is wrong, pass a corrected clock to latchkey().',
      );
    }),
};

export const BASE_CHECKS: readonly Check<ServiceTarget>[] = [
  reachable,
  https,
  baseUrlFinal,
  unknownPath,
  clock,
];
