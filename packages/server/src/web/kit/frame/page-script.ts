import { keptByKey, speak, t } from '../../../platform/language/language.js';
import { type Asset, assetOf } from './asset.js';

/**
 * Script of every page with a form that decides something. It copies values, shows times in the visitor's time zone and
 * converts the date fields to it. The pages work without it. `localizeTimes` is for scripts that replace a part of the
 * page.
 *
 * It also drops presses of a submit button that may have been meant for another window or page: the second press of a
 * double click that closed a window in front, a series of clicks that continues after a change of page, a held key, a
 * press at the moment when the window came to the front. A press counts if
 *
 * - half a second has passed since the page was loaded or shown, since the window got the focus or another size, and
 *   since the last press;
 * - and the mouse moved to the button, rather than the button to the mouse, and rested there for half a second, or for
 *   a quarter if the mouse was on this page before. After a press that didn't count, the mouse has to move again;
 * - or the key was first pressed on this page, a quarter of a second after the control got the focus.
 *
 * A tap has no pointer that could rest, and assistive software sends a click alone. Both need only the first condition.
 * Forms in which the person has typed on this page, and forms with `data-at-once`, are sent at once. `DECISIONS` in
 * `forms.ts` does some of this without a script.
 */
const sourceIn = (locale: string) => `'use strict';
(() => {
  const COPIED_MS = 2000;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isUtc = !zone || /^(Etc\\/)?(UTC|GMT|UCT|Zulu)$/.test(zone);

  const status = document.createElement('p');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  // Added at the first announcement: pages without one have only their own statuses.
  function announce(text) {
    if (!status.isConnected) document.body.append(status);
    setTimeout(() => { status.textContent = text; }, 50);
  }

  async function copy(button) {
    const source = button.closest('[data-copyable]').querySelector('[data-copy-source]');
    const name = button.dataset.copy;
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.classList.add('copied');
      announce(${inScript(t('Copied: {name}', { name: NAME }))});
      setTimeout(() => { button.classList.remove('copied'); announce(''); }, COPIED_MS);
    } catch {
      // Browsers give no clipboard to pages on plain http, except on a loopback address.
      getSelection().selectAllChildren(source);
      announce(${inScript(t('Selected: {name}. Press Ctrl+C or ⌘C to copy.', { name: NAME }))});
    }
  }
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-copy]');
    if (button !== null) void copy(button);
  });

  const day = { day: 'numeric', month: 'short', year: 'numeric' };
  const minute = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const second = { ...minute, second: '2-digit' };
  const formats = Object.fromEntries(
    Object.entries({ date: day, minute, second }).map(([name, options]) => [name, new Intl.DateTimeFormat('${locale}', options)]),
  );
  const utc = new Intl.DateTimeFormat('${locale}', { ...minute, timeZone: 'UTC' });

  function localizeTimes(part) {
    if (isUtc) return;
    for (const time of part.querySelectorAll('time[data-local]')) {
      const at = new Date(time.dateTime);
      time.title = utc.format(at) + ' UTC';
      time.textContent = formats[time.dataset.local].format(at);
    }
  }

  const padded = (number, length) => String(number).padStart(length, '0');
  function localizeField(field) {
    const [date, time] = field.querySelectorAll('input:not([type=hidden])');
    if (field.dataset.instant !== undefined && date.value === date.defaultValue) {
      const at = new Date(Number(field.dataset.instant));
      date.value = padded(at.getFullYear(), 4) + '-' + padded(at.getMonth() + 1, 2) + '-' + padded(at.getDate(), 2);
      if (time) time.value = padded(at.getHours(), 2) + ':' + padded(at.getMinutes(), 2);
    }
    field.querySelector('[data-zone]').value = zone;
    field.querySelector('[data-zone-name]').textContent = zone.replaceAll('_', ' ');
  }

  const CALM_MS = 500;
  const REST_MS = 250;
  const typedIn = new WeakSet();
  const now = () => performance.now();
  let calmSince, focusedSince, movedSince, restedOn, restedSince, place, pointerPress, keyPress, settling, hint;

  function disturb() {
    calmSince = focusedSince = now();
    movedSince = restedOn = undefined;
    settle('opened');
  }
  function settle(why) {
    document.documentElement.dataset.settling = why;
    clearTimeout(settling);
    settling = setTimeout(() => {
      if (isPast(calmSince, CALM_MS)) delete document.documentElement.dataset.settling;
      // Another press came meanwhile, which may have been none of a decision.
      else settle(why);
    }, CALM_MS + 10);
  }
  const isPast = (since, duration) => since !== undefined && now() - since >= duration;
  // Asks the button, because a field can hide a property of its form: payments have a field "method".
  const decisionAt = (target) => {
    const button = target.closest?.('button, input');
    const form = button?.closest('form[method="post"]:not([data-at-once])');
    return /^(submit|image)$/.test(button?.type) && form && !typedIn.has(form) ? button : undefined;
  };
  const on = (names, listener) => {
    for (const name of names.split(' ')) addEventListener(name, listener, true);
  };

  on('focus resize', (event) => { if (event.target === window) disturb(); });
  on('pageshow visibilitychange', disturb);
  on('focusin', () => { focusedSince = now(); });
  on('input', ({ isTrusted, target }) => {
    const isText = /^(text|email|password|search|tel|url|number|textarea)$/.test(target.type);
    if (isTrusted && isText && target.form) typedIn.add(target.form);
  });
  // Rests last from event to event. A busy page handles a move late, and the press right after it.
  on('pointermove', ({ target, clientX, clientY, pointerType, timeStamp }) => {
    const isMove = place !== clientX + ' ' + clientY;
    place = clientX + ' ' + clientY;
    if (!isMove || pointerType !== 'mouse') return;
    movedSince ??= timeStamp;
    const button = decisionAt(target);
    if (button !== restedOn) restedSince = timeStamp;
    restedOn = button;
  });
  on('pointerout', ({ target, relatedTarget }) => {
    if (relatedTarget === null) movedSince = undefined;
    if (decisionAt(target) === restedOn && !restedOn?.contains(relatedTarget)) restedOn = undefined;
  });
  on('pointerdown', ({ target, pointerType, timeStamp }) => {
    const button = decisionAt(target);
    const rest = timeStamp - movedSince >= CALM_MS ? REST_MS : CALM_MS;
    const rested = pointerType !== 'mouse' || (button === restedOn && timeStamp - restedSince >= rest);
    pointerPress = { button, counts: rested && isPast(calmSince, CALM_MS) };
    if (button !== undefined && !pointerPress.counts) movedSince = restedOn = undefined;
    calmSince = now();
  });
  on('keydown', ({ key, repeat }) => {
    if (key !== 'Enter' && key !== ' ') return;
    keyPress = { counts: !repeat && isPast(calmSince, CALM_MS) && isPast(focusedSince, REST_MS) };
    calmSince = now();
  });
  on('keyup', () => { setTimeout(() => { keyPress = undefined; }); });
  on('click', (event) => {
    const button = decisionAt(event.target);
    const press = event.detail === 0 ? keyPress : pointerPress;
    if (event.detail !== 0) pointerPress = undefined;
    if (button === undefined) return;
    const counts = press === undefined ? isPast(calmSince, CALM_MS) : press.counts && (press === keyPress || press.button === button);
    calmSince = now();
    if (counts) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    settle('pressed');
    explain();
  });

  function explain() {
    if (hint === undefined) {
      hint = document.createElement('p');
      hint.className = 'press-hint';
      hint.setAttribute('role', 'status');
      document.body.append(hint);
    }
    clearTimeout(hint.timer);
    hint.textContent = '';
    setTimeout(() => { hint.textContent = ${inScript(t('That was too quick, so nothing was sent. Wait a moment, move to the button again, then press it.'))}; }, 50);
    hint.timer = setTimeout(() => { hint.textContent = ''; }, 6000);
  }
  disturb();

  localizeTimes(document);
  if (!isUtc) for (const field of document.querySelectorAll('[data-date-field]')) localizeField(field);
  globalThis.localizeTimes = localizeTimes;
  document.documentElement.dataset.pageScript = '';
})();
`;

const NAME = '\u0000';

function inScript(text: string): string {
  const parts = text.split(NAME).map((part) => (part === '' ? [] : [JSON.stringify(part)]));
  return parts.flatMap((part, index) => (index > 0 ? ['name', ...part] : part)).join(' + ');
}

/** Returns the script of every page with a form that decides something, with its messages in a language. */
export const pageScript: (language: string) => Asset = keptByKey((language) =>
  speak(language, () => {
    const isEnglish = language === 'en';
    const source = sourceIn(isEnglish ? 'en-GB' : `${language}-u-nu-latn`);
    return assetOf(isEnglish ? 'pages.js' : `pages-${language}.js`, 'text/javascript; charset=utf-8', source);
  }),
);

export const PAGE_SCRIPT: Asset = pageScript('en');
