import * as z from 'zod';
import { phrase } from '../../platform/language/language.js';
import { defineRecords } from '../fields/define-records.js';
import { idOf } from '../fields/fields.js';
import type { OperatorRole } from './operator-roles.js';

const OPERATOR_ROLES = ['VIEWER', 'ADMIN'] as const satisfies readonly OperatorRole[];

export const operatorRecords = defineRecords({
  one: 'operator',
  table: 'operators',
  columns: ['user_id', 'role', 'created_at'],
  order: ['created_at', 'user_id'],
  id: ['user_id'],
  searched: ['user_id', 'role'],
  owners: ['userId'],
  fields: {
    userId: idOf('User'),
    role: {
      schema: z.enum(OPERATOR_ROLES, phrase('Choose VIEWER or ADMIN.')),
      about: 'A VIEWER reads. An ADMIN also changes and ends records, and appoints operators.',
    },
  },
  create: 'Lets a user into the operator area. It only counts if two-step sign-in is on already.',
  change: 'Changes the role of an operator.',
  end: { summary: 'Removes an operator. The user’s account stays.', button: 'Remove operator' },
});
