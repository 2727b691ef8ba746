import { BRAND } from '../../../features/brand/brand.js';
import { type Phrase, phrase, t } from '../../../platform/language/language.js';
import { accentFilePath, PREVIEW_SIZE } from '../styles/accent.js';
import { LIGHT_COLOURS } from '../styles/tokens.js';
import { type Control, segmented, text } from './define-form.js';
import { Field, useDescription } from './form-field.js';
import { ClientLogo } from './picture.js';

export const PREVIEW_NOTICE = phrase('This is a preview. Nothing is saved yet.');

/** A colour picker can't be blank, so the accent counts only if `own` is chosen; otherwise the picker is hidden. */
export function brandControls(words: {
  name?: string;
  logoHint: Phrase;
  accentHint: Phrase;
}): Record<'logoUrl' | 'accentChoice' | 'accent', Control<string, string | null>> {
  const logoUrl = text({
    label: phrase(BRAND.logoUrl.label),
    isOptional: true,
    hint: words.logoHint,
    spellcheck: false,
    parse: (typed) => typed.trim() || null,
  });
  const accentChoice = segmented({
    label: phrase(BRAND.accent.label),
    hint: words.accentHint,
    initial: 'standard',
    options: [
      { value: 'standard', label: phrase('Standard') },
      { value: 'own', label: phrase('Own colour') },
    ],
  });
  return {
    logoUrl: {
      ...logoUrl,
      render(field, values) {
        const name = words.name ?? String(values.name);
        return (
          <div class="logo-field">
            {logoUrl.render(field, values)}
            {(name.trim() !== '' || field.value !== '') && <ClientLogo name={name} logoUrl={field.value} />}
          </div>
        );
      },
    },
    accentChoice: {
      ...accentChoice,
      show: (accent) => (accent === null ? 'standard' : 'own'),
      render(field, values) {
        const value = field.value === 'own' ? 'own' : 'standard';
        return (
          <div class="accent-field">
            {accentChoice.render({ ...field, value }, values)}
            <OwnAccent accent={String(values.accent)} />
          </div>
        );
      },
    },
    accent: {
      ...text({ label: phrase('Own colour') }),
      parse: (form) => (form.get('accentChoice') === 'own' ? (form.get('accent') ?? '') : null),
      render: () => null,
    },
  };
}

function OwnAccent({ accent }: { accent: string }) {
  return (
    <div class="accent-own">
      <Field name="accent" label={t('Own colour')}>
        <input
          id="accent"
          name="accent"
          type="color"
          value={accent === '' ? LIGHT_COLOURS.accent : accent}
          {...useDescription({ name: 'accent' })}
        />
      </Field>
      <AccentPreview accent={accent} />
    </div>
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
      alt={t('A button and a link in {accent}, on a light and on a dark page', { accent })}
    />
  );
}
