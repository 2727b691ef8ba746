import type * as z from 'zod';

const DISJUNCTION = new Intl.ListFormat('en', { type: 'disjunction' });

/** Words for zod's issues that have no message of their own. Each completes "--flag: …; got "value"". */
export const issueText: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_value':
      return `must be ${DISJUNCTION.format(issue.values.map(String))}`;
    case 'invalid_type':
      return TYPE_TEXTS[issue.expected];
    case 'too_small':
      return issue.origin === 'array' ? 'must have at least one value' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    default:
      return undefined;
  }
};

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  int: 'must be a whole number',
  number: 'must be a number',
  boolean: 'must be true or false',
};
