import { type Asset, assetOf } from './asset.js';

/**
 * Script of the pages of areas, storefront and tools. It copies values, shows times in the visitor's time zone and converts
 * the date fields to it. The pages work without it. `localizeTimes` is for scripts that replace a part of the page.
 */
const SOURCE = `'use strict';
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
      announce('Copied: ' + name);
      setTimeout(() => { button.classList.remove('copied'); announce(''); }, COPIED_MS);
    } catch {
      // Browsers give no clipboard to pages on plain http, except on a loopback address.
      getSelection().selectAllChildren(source);
      announce('Selected: ' + name + '. Press Ctrl+C or \\u2318C to copy.');
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
    Object.entries({ date: day, minute, second }).map(([name, options]) => [name, new Intl.DateTimeFormat('en-GB', options)]),
  );
  const utc = new Intl.DateTimeFormat('en-GB', { ...minute, timeZone: 'UTC' });

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

  localizeTimes(document);
  if (!isUtc) for (const field of document.querySelectorAll('[data-date-field]')) localizeField(field);
  globalThis.localizeTimes = localizeTimes;
  document.documentElement.dataset.pageScript = '';
})();
`;

/** Script of the pages of areas, storefront and tools. */
export const PAGE_SCRIPT: Asset = assetOf('pages.js', 'text/javascript; charset=utf-8', SOURCE);
