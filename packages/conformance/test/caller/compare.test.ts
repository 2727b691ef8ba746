import { expect, it } from 'vitest';
import { compareRuns } from '../../src/caller/checks/compare.js';
import type { ActionRun, Recording } from '../../src/caller/record/recording.js';

it('says how an action failed that fails with ordinary answers too', () => {
  const outcome = {
    kind: 'failure',
    status: 409,
    exitCode: undefined,
    location: undefined,
    text: '',
  } as const;
  const run: ActionRun = {
    action: 'checkout',
    label: 'ordinary',
    parameters: { orderId: '', email: '', messengerUserId: '', externalId: '' },
    outcome,
    roundTrips: [],
    driven: [],
  };
  const recording: Recording = {
    serviceUrl: 'http://127.0.0.1:4490',
    apiKey: '',
    messengerField: 'messengerUserId',
    retryWithinSeconds: 0,
    roundTrips: [],
    runs: [run],
    webhooks: undefined,
    failureReport: undefined,
    actions: ['checkout'],
    developerActions: [],
    provisionPlaceholders: [],
  };
  const judge = compareRuns({ label: 'status 409', keeps: () => true, problem: () => '' });
  expect(JSON.stringify(judge(recording))).toContain(
    'checkout answered 409 (failure) with ordinary answers too',
  );
});
