import { nameField } from '@latchkey/server/schemas';

/** A name of something new. */
export const name = nameField.meta({ placeholder: 'name', description: 'Name.' });
