import { describe, expect, it } from 'vitest';
import { brokenRules, type RuledMigration } from '../database/migration-rules.js';

const check = (statement: string | string[], options: Partial<RuledMigration> = {}) =>
  brokenRules({ kind: 'expand', statements: [statement].flat(), ...options });

describe('rules of expand migrations', () => {
  it.for([
    'drop table "users"',
    'drop table if exists "users"',
    'alter table "users" drop column "name"',
    'alter table "users" drop constraint "users_email_key"',
    'alter table "users" rename column "name" to "title"',
    'alter table "users" rename to "people"',
    'alter table "users" alter column "name" type varchar(10)',
    'alter table "users" alter column "name" set data type varchar(10)',
    'alter table "users" alter column "name" set not null',
    'alter table "users" add column "motto" text not null',
    'alter table "users" add column "added" bigint default (extract(epoch from now()))',
    'alter table "users" add column "added" timestamp default now()',
    'alter table "users" add column "friend" text references "users" ("id")',
    'alter table "users" add column "motto" text unique',
    'alter table "users" add constraint "short" check (length(name) < 10)',
    'create index "users_name" on "users" ("name")',
    'drop index "users_name"',
    'update "users" set "name" = null',
    'delete from users where name is null',
    'create index concurrently "users_name" on "users" ("name")',
    'truncate users',
    'lock table users in exclusive mode',
  ])('reject: %s', (statement) => {
    expect(check(statement)).toHaveLength(1);
  });

  it.for([
    'create table "notes" ("id" text primary key, "text" text not null)',
    'alter table "users" add column "motto" text',
    'alter table "users" add column "visits" integer default 0 not null',
    'alter table "users" add constraint "short" check (length(name) < 10) not valid',
    'alter table "users" validate constraint "short"',
    'insert into service_names (id) select 1 from database_use',
  ])('accept: %s', (statement) => {
    expect(check(statement)).toEqual([]);
  });

  it('accept indexes and changes of a table that the migration creates', () => {
    const create = 'create table "notes" ("id" text primary key)';
    expect(check([create, 'create unique index "n" on "notes" ("id")'])).toEqual([]);
  });

  it('reject a unique index, also a concurrent one', () => {
    const index = 'create unique index concurrently "users_name" on "users" ("name")';
    expect(check(index, { transaction: 'none' })).toHaveLength(1);
  });

  it('reject changes of two tables in one transaction', () => {
    const statements = [
      'alter table "users" add column "motto" text',
      'alter table "memberships" add column "note" text',
    ];
    expect(check(statements)).toHaveLength(1);
    expect(check(statements, { transaction: 'none' })).toEqual([]);
  });

  it('reject a validation in the transaction that adds the constraint', () => {
    const add = 'alter table "users" add constraint "short" check (length(name) < 10) not valid';
    expect(check([add, 'alter table "users" validate constraint "short"'])).toHaveLength(1);
  });

  it('accept concurrent indexes and batches outside of a transaction', () => {
    const index = 'create index concurrently if not exists "users_name" on "users" ("name")';
    const batch = 'update users set name = null where id in (select id from users limit 1000)';
    expect(check([index, batch], { transaction: 'none' })).toEqual([]);
  });
});

describe('rules of contract migrations', () => {
  const contract = { kind: 'contract' } as const;

  it.for([
    'create table "notes" ("id" text primary key)',
    'alter table "users" add column "motto" text',
    'drop index "users_name"',
    'alter table "users" alter column "name" type varchar(10)',
  ])('reject: %s', (statement) => {
    expect(check(statement, contract)).toHaveLength(1);
  });

  it.for([
    'drop table "users"',
    'alter table "users" drop column "name"',
    'alter table "users" alter column "name" set not null',
  ])('accept: %s', (statement) => {
    expect(check(statement, contract)).toEqual([]);
  });
});
