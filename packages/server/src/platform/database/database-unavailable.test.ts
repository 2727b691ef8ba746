import { describe, expect, it } from 'vitest';
import { isDatabaseUnavailable, isReadOnly, isStorageFull } from './database-unavailable.js';
import { isLostConnection, LostConnectionError } from './postgres/postgres-statements.js';
import { WaitTimeoutError } from './postgres/semaphore.js';

const coded = (code: string) => Object.assign(new Error('failed'), { code });

const LOST: readonly [string, Error][] = [
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '08000', '08003', '08006', '08P01', '25P03', '25P04'].map(
    (code): [string, Error] => [`PostgreSQL error ${code}`, coded(code)],
  ),
  ...['ECONNRESET', 'EPIPE', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'ERR_STREAM_DESTROYED'].map(
    (code): [string, Error] => [`socket error ${code}`, coded(code)],
  ),
  ...[
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
  ].map((message): [string, Error] => [`pg error "${message}"`, new Error(message)]),
  ['a statement on a connection that was lost before', new LostConnectionError(coded('57P01'))],
  [
    'a host with several addresses that all refuse connections',
    new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
  ],
];

describe('error of a lost connection', () => {
  it.for(LOST)('%s makes the connection unusable and the database unavailable', ([, error]) => {
    expect(isLostConnection(error)).toBe(true);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });
});

describe('error on a working connection', () => {
  it.for<[string, Error]>([
    ['a statement timeout', coded('57014')],
    ['a deadlock', coded('40P01')],
    ['a serialization failure', coded('40001')],
    ['too many connections', coded('53300')],
    ['no memory', coded('53200')],
    ['a busy SQLite file', Object.assign(new Error('database is locked'), { errcode: 5 })],
    ['a full queue for connections', new WaitTimeoutError('The line was too long.')],
  ])('%s makes the database unavailable, and the connection stays usable', ([, error]) => {
    expect(isLostConnection(error)).toBe(false);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.for<[string, unknown]>([
    ['a wrong password', coded('28P01')],
    ['an unknown database', coded('3D000')],
    ['a full disk', coded('53100')],
    ['a full disk of SQLite', Object.assign(new Error('database or disk is full'), { errcode: 13 })],
    ['a unique violation', coded('23505')],
    ['an aborted transaction', coded('25P02')],
    ['an undefined table', coded('42P01')],
    ['a server without TLS', new Error('The server does not support SSL connections')],
    ['a bug', new TypeError('x is not a function')],
    ['a thrown string', 'Connection terminated'],
  ])('%s is not retried', ([, error]) => {
    expect(isLostConnection(error)).toBe(false);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('error of a database that accepts no writes', () => {
  it.for<[string, unknown, boolean]>([
    ['PostgreSQL error 25006', coded('25006'), true],
    [
      'SQLite error 8',
      Object.assign(new Error('attempt to write a readonly database'), { errcode: 1032 }),
      true,
    ],
    ['PostgreSQL error 25P02', coded('25P02'), false],
    ['a bug', new TypeError('x is not a function'), false],
  ])('%s', ([, error, expected]) => {
    expect(isReadOnly(error)).toBe(expected);
  });
});

describe('error of a full disk', () => {
  it.for<[string, unknown, boolean]>([
    ['PostgreSQL error 53100', coded('53100'), true],
    ['SQLite error 13', Object.assign(new Error('database or disk is full'), { errcode: 13 }), true],
    ['PostgreSQL error 53300', coded('53300'), false],
    ['a busy SQLite file', Object.assign(new Error('database is locked'), { errcode: 5 }), false],
    ['a bug', new TypeError('x is not a function'), false],
    ['a thrown string', '53100', false],
  ])('%s', ([, error, isFull]) => {
    expect(isStorageFull(error)).toBe(isFull);
  });
});
