import type { ComponentChildren } from 'preact';
import { accentFilePath, PREVIEW_SIZE } from '../styles/accent.js';
import { LIGHT_COLOURS } from '../styles/tokens.js';
import { describedBy, Field, SegmentedField, TextField } from './form-field.js';
import type { FormError } from './form-parts.js';
import { ClientLogo } from './picture.js';

/** Confirmation above a form that shows a preview. */
export const PREVIEW_NOTICE = 'This is a preview. Nothing is saved yet.';

/** Raw values of the fields of a brand. */
export interface BrandFieldValues {
  logoUrl: string;
  /** `own` for an accent of its own. */
  accentChoice: string;
  /** Colour of the picker. It counts only for the choice `own`. */
  accent: string;
}

/** Returns the raw values of the fields of a brand in a form. */
export function brandFieldsOf(form: URLSearchParams): BrandFieldValues {
  return {
    logoUrl: form.get('logoUrl') ?? '',
    accentChoice: form.get('accentChoice') ?? 'standard',
    accent: form.get('accent') ?? '',
  };
}

/** Returns the field values of a stored brand. */
export function fieldsOfBrand(brand: { logoUrl: string | null; accent: string | null }): BrandFieldValues {
  return {
    logoUrl: brand.logoUrl ?? '',
    accentChoice: brand.accent === null ? 'standard' : 'own',
    accent: brand.accent ?? '',
  };
}

/** Returns the logo and the accent of the fields, as schemas check them. Blank fields are `undefined`. */
export function brandOf(values: BrandFieldValues) {
  const logoUrl = values.logoUrl.trim();
  return {
    logoUrl: logoUrl === '' ? undefined : logoUrl,
    accent: values.accentChoice === 'own' ? values.accent : undefined,
  };
}

export interface BrandFieldsProps {
  /** Name beside the logo. */
  name: string;
  values: BrandFieldValues;
  logoHint: ComponentChildren;
  accentHint: ComponentChildren;
  errors?: readonly FormError[] | undefined;
}

/**
 * Fields of a logo and of an accent, with pictures of both as they were when the page was sent. The style sheet shows the
 * colour picker only for the choice `own`, because a picker cannot be blank.
 */
export function BrandFields({ name, values, logoHint, accentHint, errors }: BrandFieldsProps) {
  const { logoUrl, accentChoice, accent } = values;
  return (
    <>
      <div class="logo-field">
        <TextField
          name="logoUrl"
          label="Logo (optional)"
          hint={logoHint}
          value={logoUrl}
          spellcheck={false}
          errors={errors}
        />
        {(name.trim() !== '' || logoUrl !== '') && <ClientLogo name={name} logoUrl={logoUrl} />}
      </div>
      <div class="accent-field">
        <SegmentedField
          name="accentChoice"
          label="Accent colour"
          hint={accentHint}
          value={accentChoice === 'own' ? 'own' : 'standard'}
          options={[
            { value: 'standard', label: 'Standard' },
            { value: 'own', label: 'Own colour' },
          ]}
          errors={errors}
        />
        <div class="accent-own">
          <Field name="accent" label="Own colour" errors={errors}>
            <input
              id="accent"
              name="accent"
              type="color"
              value={accent === '' ? LIGHT_COLOURS.accent : accent}
              {...describedBy({ name: 'accent', label: '', errors })}
            />
          </Field>
          <AccentPreview accent={accent} />
        </div>
      </div>
    </>
  );
}

function AccentPreview({ accent }: { accent: string }) {
  const path = accentFilePath(accent, 'svg');
  if (path === undefined) return null;
  return (
    <img
      class="accent-preview"
      src={path}
      width={PREVIEW_SIZE.width}
      height={PREVIEW_SIZE.height}
      alt={`A button and a link in ${accent}, on a light and on a dark page`}
    />
  );
}
