import type { FormError } from '../ui/parts/error-summary.js';
import { TextField } from '../ui/parts/form-field.js';

/** Field for the second factor with which a signed-in user proves a change: `code`. */
export function SecondFactorField({ errors }: { errors: readonly FormError[] | undefined }) {
  return (
    <TextField
      name="code"
      label="Code from your app, or a recovery code"
      value=""
      required
      maxLength={64}
      autoComplete="one-time-code"
      spellcheck={false}
      errors={errors}
    />
  );
}

const MESSAGES = {
  used: 'This code was already used. Wait until your app shows the next one.',
  wrong: 'This is neither the current code of your app nor an unused recovery code.',
} as const;

/** Returns the errors of a form with {@link SecondFactorField} whose code was rejected. */
export function rejectedCode(reason: keyof typeof MESSAGES): readonly FormError[] {
  return [{ field: 'code', message: MESSAGES[reason] }];
}
