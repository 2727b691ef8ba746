import {
  anyEnvelopeFailureViews,
  ENVELOPE_ERROR_CODES,
  envelopeFailureViews,
  envelopeViews,
  rejectionViews,
  userIdentityViews,
} from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import { accepts, refusedPaths, without } from './schema-verdict.js';

const user = { sub: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90', email: null };
const success = envelopeViews(userIdentityViews);
const failure = { success: false, errorCode: 'not_found', message: 'No such community.' };

describe('a success envelope as emitted', () => {
  it('carries success true and the payload [envelope.success-true]', () => {
    expect(refusedPaths(success.exact, { success: true, data: user })).toEqual([]);
    expect(accepts(success.exact, { success: false, data: user })).toBe(false);
    expect(accepts(success.exact, { success: true })).toBe(false);
  });

  it('has no errorCode, correlationKey, logUrl or unknown key [envelope.error-code-absent-on-success]', () => {
    for (const key of ['errorCode', 'correlationKey', 'logUrl', 'extra']) {
      expect(accepts(success.exact, { success: true, data: user, [key]: 'https://x.example' })).toBe(false);
    }
  });
});

describe('a failure envelope as emitted', () => {
  it('has an errorCode and a message, and no data [envelope.endpoint-failure] [envelope.message-on-failure]', () => {
    expect(refusedPaths(anyEnvelopeFailureViews.exact, failure)).toEqual([]);
    expect(refusedPaths(anyEnvelopeFailureViews.exact, without(failure, 'errorCode'))).toEqual(['errorCode']);
    expect(refusedPaths(anyEnvelopeFailureViews.exact, without(failure, 'message'))).toEqual(['message']);
    expect(accepts(anyEnvelopeFailureViews.exact, { ...failure, data: null })).toBe(false);
  });

  it('takes the known error codes only, in lowercase snake_case [envelope.error-code-known-values] [envelope.error-code-format]', () => {
    expect(ENVELOPE_ERROR_CODES).toHaveLength(11);
    for (const errorCode of ENVELOPE_ERROR_CODES) {
      expect(errorCode).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(accepts(anyEnvelopeFailureViews.exact, { ...failure, errorCode })).toBe(true);
    }
    expect(accepts(anyEnvelopeFailureViews.exact, { ...failure, errorCode: 'teapot' })).toBe(false);
  });

  it('can be narrowed to the codes of one status', () => {
    const conflict = envelopeFailureViews(['already_exists', 'conflict']);
    expect(accepts(conflict.exact, { ...failure, errorCode: 'conflict' })).toBe(true);
    expect(accepts(conflict.exact, failure)).toBe(false);
  });

  it('may carry a trace id and a log link [envelope.correlation-key-presence] [envelope.log-url-presence]', () => {
    const traced = {
      ...failure,
      correlationKey: '4bf92f3577b34da6a3ce929d0e0e4736',
      logUrl: 'https://logs.example/1',
    };
    expect(refusedPaths(anyEnvelopeFailureViews.exact, traced)).toEqual([]);
    expect(refusedPaths(anyEnvelopeFailureViews.exact, { ...failure, correlationKey: null })).toEqual([
      'correlationKey',
    ]);
  });
});

describe('an envelope as a caller reads it', () => {
  it('may lack every key, or be null in it [envelope.every-key-optional]', () => {
    expect(accepts(success.tolerant, {})).toBe(true);
    expect(accepts(success.tolerant, { success: false, data: null, errorCode: null, message: null })).toBe(
      true,
    );
  });

  it('may carry an errorCode nobody knows yet [envelope.error-code-set-grows]', () => {
    expect(success.tolerant.parse({ success: false, errorCode: 'teapot' }).errorCode).toBe('teapot');
  });

  it('keeps fields nobody knows yet, in the payload too [versioning.ignore-unknown-fields]', () => {
    const grown = { success: true, data: { ...user, nickname: 'ada' }, region: 'eu' };
    expect(success.tolerant.parse(grown)).toEqual(grown);
  });
});

describe('a rejection body', () => {
  const rejection = {
    success: false,
    message: 'Invalid API key',
    statusCode: 401,
    timestamp: '2026-01-31T09:30:15.000Z',
    path: '/membership/provision-external',
  };

  it('has exactly five keys [rejection.message] [rejection.status-code] [rejection.timestamp] [rejection.path]', () => {
    expect(refusedPaths(rejectionViews.exact, rejection)).toEqual([]);
    for (const key of Object.keys(rejection)) {
      expect(refusedPaths(rejectionViews.exact, without(rejection, key))).toEqual([key]);
    }
  });

  it('has neither errorCode nor data [rejection.no-error-code] [rejection.no-data]', () => {
    expect(accepts(rejectionViews.exact, { ...rejection, errorCode: 'unauthorized' })).toBe(false);
    expect(accepts(rejectionViews.exact, { ...rejection, data: null })).toBe(false);
  });

  it('says success false [rejection.success-false]', () => {
    expect(refusedPaths(rejectionViews.exact, { ...rejection, success: true })).toEqual(['success']);
  });

  it('writes its timestamp with milliseconds and Z [general.timestamp-format]', () => {
    for (const timestamp of [
      '2026-01-31T09:30:15Z',
      '2026-01-31T09:30:15.000+00:00',
      '2026-02-31T09:30:15.000Z',
    ]) {
      expect(refusedPaths(rejectionViews.exact, { ...rejection, timestamp })).toEqual(['timestamp']);
    }
  });

  it('has an error status and a path without query', () => {
    expect(refusedPaths(rejectionViews.exact, { ...rejection, statusCode: 200 })).toEqual(['statusCode']);
    expect(refusedPaths(rejectionViews.exact, { ...rejection, statusCode: '401' })).toEqual(['statusCode']);
    expect(refusedPaths(rejectionViews.exact, { ...rejection, path: '/a?token=1' })).toEqual(['path']);
  });

  it('may have grown, as a caller reads it [versioning.ignore-unknown-fields]', () => {
    expect(rejectionViews.tolerant.parse({ ...rejection, requestId: '1' })).toMatchObject({ requestId: '1' });
  });
});
