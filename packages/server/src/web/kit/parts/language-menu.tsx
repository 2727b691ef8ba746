import { currentLanguage, LANGUAGES, t } from '../../../platform/language/language.js';

/** Receives the form of {@link LanguageMenu}. */
export const LANGUAGE_PATH = '/language';

/** The browser's `Referer` says which page to return to. */
export function LanguageMenu() {
  const { language } = currentLanguage();
  return (
    <details class="language-menu">
      <summary>
        <span class="visually-hidden">{t('Language:')} </span>
        {LANGUAGES[language] ?? language}
      </summary>
      <form method="post" action={LANGUAGE_PATH} data-at-once>
        {Object.entries(LANGUAGES).map(([code, name]) => (
          <button
            key={code}
            class="link-button"
            type="submit"
            name="language"
            value={code}
            lang={code}
            {...(code === language && { 'aria-current': 'true' })}
          >
            <bdi>{name}</bdi>
          </button>
        ))}
      </form>
    </details>
  );
}
