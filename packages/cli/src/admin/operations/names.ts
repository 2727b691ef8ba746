import { visibleText } from '../../command-line/values.js';

/** A name of something new. */
export const name = visibleText.meta({ placeholder: 'name', description: 'Name.' });
