import { until } from './until.js';

/**
 * Closes a popup, when it shows the service. Chromium can show a window that closes while it navigates as open again for a
 * moment.
 */
export async function closePopup(popup: Window | null | undefined): Promise<void> {
  await until('at the service', () => {
    try {
      return popup?.location.href === undefined;
    } catch {
      return true;
    }
  });
  popup?.close();
  await until('closed', () => popup?.closed);
}
