import { nameField } from '@latchkey/server/schemas';

export const name = nameField.meta({ placeholder: 'name', description: 'Name.' });
