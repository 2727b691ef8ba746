import { dropSchema } from '@latchkey/server/schemas';
import * as z from 'zod';
import { instant } from '../../command-line/instant-value.js';
import { adminOperation } from './admin-operation.js';
import { communityId, newId } from './ids.js';
import { name } from './names.js';

const newDropSlot = z.object({
  communityId,
  name,
  slots: dropSchema.shape.slots.meta({
    placeholder: 'number',
    defaultText: 'unlimited',
    description: 'Maximum number of signups.',
  }),
  startsAt: instant.meta({ placeholder: 'time', description: 'Start, in ISO-8601.' }),
  endsAt: instant.exactOptional().meta({
    placeholder: 'time',
    defaultText: 'no end',
    description: 'End, in ISO-8601: the first instant at which the drop is closed.',
  }),
  id: newId,
});

export const createDropSlot = adminOperation({
  name: 'create-drop-slot',
  summary: 'Creates a drop that users can sign up for.',
  values: newDropSlot,
  example:
    '--community-id 5eed0000-0000-4000-8000-000000000001 --name Spring --slots 10 --starts-at 2027-03-01T12:00:00Z',
  run: async (operator, slot) => ({
    message: `Created the drop ${slot.name}.`,
    facts: await operator.createDropSlot(slot),
  }),
});
