import { envelopeFailureSchemas, rejectionSchemas, userIdentitySchemas } from '@latchkey/contract';
import { describe, expect, it } from 'vitest';
import { anyEnvelopeFailureSchemas, envelopeSchemas } from '../src/shapes/envelope.js';
import { ENVELOPE_ERROR_CODES } from '../src/shapes/values.js';
import { accepts, rejectedPaths, without } from './schema-checks.js';

const user = { sub: '0190a3e4-7b1c-7d2e-8f3a-4b5c6d7e8f90', email: null };
const success = envelopeSchemas(userIdentitySchemas);
const failure = { success: false, errorCode: 'not_found', message: 'No such community.' };

describe('the strict schema of a success envelope', () => {
  it('requires success true and the payload', { tags: ['envelope.success-true'] }, () => {
    expect(rejectedPaths(success.strict, { success: true, data: user })).toEqual([]);
    expect(accepts(success.strict, { success: false, data: user })).toBe(false);
    expect(accepts(success.strict, { success: true })).toBe(false);
  });

  it('rejects errorCode, correlationKey, logUrl and unknown keys', {
    tags: ['envelope.error-code-absent-on-success'],
  }, () => {
    for (const key of ['errorCode', 'correlationKey', 'logUrl', 'extra']) {
      expect(accepts(success.strict, { success: true, data: user, [key]: 'https://x.example' })).toBe(false);
    }
  });
});

describe('the strict schema of a failure envelope', () => {
  it('requires an errorCode and a message, and rejects data', {
    tags: ['envelope.endpoint-failure', 'envelope.message-on-failure'],
  }, () => {
    expect(rejectedPaths(anyEnvelopeFailureSchemas.strict, failure)).toEqual([]);
    expect(rejectedPaths(anyEnvelopeFailureSchemas.strict, without(failure, 'errorCode'))).toEqual([
      'errorCode',
    ]);
    expect(rejectedPaths(anyEnvelopeFailureSchemas.strict, without(failure, 'message'))).toEqual(['message']);
    expect(accepts(anyEnvelopeFailureSchemas.strict, { ...failure, data: null })).toBe(false);
  });

  it('accepts only the known error codes, in lowercase snake_case', {
    tags: ['envelope.error-code-known-values', 'envelope.error-code-format'],
  }, () => {
    expect(ENVELOPE_ERROR_CODES).toHaveLength(11);
    for (const errorCode of ENVELOPE_ERROR_CODES) {
      expect(errorCode).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      expect(accepts(anyEnvelopeFailureSchemas.strict, { ...failure, errorCode })).toBe(true);
    }
    expect(accepts(anyEnvelopeFailureSchemas.strict, { ...failure, errorCode: 'teapot' })).toBe(false);
  });

  it('accepts only the given error codes', () => {
    const conflict = envelopeFailureSchemas(['already_exists', 'conflict']);
    expect(accepts(conflict.strict, { ...failure, errorCode: 'conflict' })).toBe(true);
    expect(accepts(conflict.strict, failure)).toBe(false);
  });

  it('accepts a trace id and a log link', {
    tags: ['envelope.correlation-key-presence', 'envelope.log-url-presence'],
  }, () => {
    const traced = {
      ...failure,
      correlationKey: '4bf92f3577b34da6a3ce929d0e0e4736',
      logUrl: 'https://logs.example/1',
    };
    expect(rejectedPaths(anyEnvelopeFailureSchemas.strict, traced)).toEqual([]);
    expect(rejectedPaths(anyEnvelopeFailureSchemas.strict, { ...failure, correlationKey: null })).toEqual([
      'correlationKey',
    ]);
  });
});

describe('the loose schema of an envelope', () => {
  it('accepts missing and null keys', { tags: ['envelope.every-key-optional'] }, () => {
    expect(accepts(success.loose, {})).toBe(true);
    expect(accepts(success.loose, { success: false, data: null, errorCode: null, message: null })).toBe(true);
  });

  it('accepts an unknown errorCode', { tags: ['envelope.error-code-set-grows'] }, () => {
    expect(success.loose.parse({ success: false, errorCode: 'teapot' }).errorCode).toBe('teapot');
  });

  it('keeps unknown fields, also in the payload', { tags: ['versioning.ignore-unknown-fields'] }, () => {
    const grown = { success: true, data: { ...user, nickname: 'ada' }, region: 'eu' };
    expect(success.loose.parse(grown)).toEqual(grown);
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

  it('has exactly five keys', {
    tags: ['rejection.message', 'rejection.status-code', 'rejection.timestamp', 'rejection.path'],
  }, () => {
    expect(rejectedPaths(rejectionSchemas.strict, rejection)).toEqual([]);
    for (const key of Object.keys(rejection)) {
      expect(rejectedPaths(rejectionSchemas.strict, without(rejection, key))).toEqual([key]);
    }
  });

  it('has neither errorCode nor data', { tags: ['rejection.no-error-code', 'rejection.no-data'] }, () => {
    expect(accepts(rejectionSchemas.strict, { ...rejection, errorCode: 'unauthorized' })).toBe(false);
    expect(accepts(rejectionSchemas.strict, { ...rejection, data: null })).toBe(false);
  });

  it('has success false', { tags: ['rejection.success-false'] }, () => {
    expect(rejectedPaths(rejectionSchemas.strict, { ...rejection, success: true })).toEqual(['success']);
  });

  it('has a timestamp with milliseconds and Z', { tags: ['general.timestamp-format'] }, () => {
    for (const timestamp of [
      '2026-01-31T09:30:15Z',
      '2026-01-31T09:30:15.000+00:00',
      '2026-02-31T09:30:15.000Z',
    ]) {
      expect(rejectedPaths(rejectionSchemas.strict, { ...rejection, timestamp })).toEqual(['timestamp']);
    }
  });

  it('has an error status and a path without query', () => {
    expect(rejectedPaths(rejectionSchemas.strict, { ...rejection, statusCode: 200 })).toEqual(['statusCode']);
    expect(rejectedPaths(rejectionSchemas.strict, { ...rejection, statusCode: '401' })).toEqual([
      'statusCode',
    ]);
    expect(rejectedPaths(rejectionSchemas.strict, { ...rejection, path: '/a?token=1' })).toEqual(['path']);
  });

  it('can contain unknown fields for a caller', { tags: ['versioning.ignore-unknown-fields'] }, () => {
    expect(rejectionSchemas.loose.parse({ ...rejection, requestId: '1' })).toMatchObject({ requestId: '1' });
  });
});
