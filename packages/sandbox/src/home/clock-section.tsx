import { Button, Panel, Time } from '@latchkey/server/ui';
import type { ClockPresetName } from '../control/routes/routes.js';
import type { ClockMove, ClockPreset } from '../control/timeline/timeline.js';

/** Steps of the buttons, with their labels. */
export const CLOCK_STEPS: ReadonlyMap<string, string> = new Map([
  ['1m', '1 minute'],
  ['1h', '1 hour'],
  ['1d', '1 day'],
  ['31d', '31 days'],
]);

export interface ClockProps {
  /** The service's current time in milliseconds since the epoch. */
  readonly serviceTime: number;
  readonly presets: readonly ClockPreset[];
}

/** Labels of the presets' buttons, and what the page says below a button if the data doesn't support it. */
const PRESETS: Readonly<Record<ClockPresetName, { readonly name: string; readonly without: string }>> = {
  'next-code-expiry': { name: 'End of this code', without: 'No sign-in code is open.' },
  'access-token-expiry': { name: 'Access token expires', without: 'No access token is valid.' },
  'refresh-token-expiry': { name: 'Refresh token expires', without: 'No refresh token is valid.' },
  'next-renewal': { name: 'Next renewal', without: 'No subscription renews.' },
  'next-membership-end': { name: 'Next end of a membership', without: 'No membership ends.' },
  'next-drop-start': { name: 'Next drop opens', without: 'No drop is planned.' },
};

/** The service's time, and buttons that move it. */
export function ClockSection({ serviceTime, presets }: ClockProps) {
  return (
    <Panel
      heading="Move the clock"
      actions={
        <p id="clock-time" data-live>
          <Time at={serviceTime} isUtc />
        </p>
      }
      id="clock"
    >
      <form method="post" action="/sandbox/clock" data-at-once>
        <ul class="presets" id="presets" data-live>
          {presets.map(({ preset, at, label }) => (
            <li class="preset" key={preset}>
              <Button isSmall id={`preset-${preset}`} name="preset" value={preset} disabled={at === null}>
                {PRESETS[preset].name}
              </Button>
              <p class="muted">
                {at === null ? (
                  PRESETS[preset].without
                ) : (
                  <>
                    <Time at={Date.parse(at)} isUtc />
                    <br />
                    <bdi>{label}</bdi>
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
        <p class="clock-steps">
          <span class="muted">Or by</span>
          {[...CLOCK_STEPS].map(([name, label]) => (
            <Button isSmall name="advance" value={name} key={name}>
              +{label}
            </Button>
          ))}
        </p>
      </form>
    </Panel>
  );
}

const LISTED = 30;

/** Lists everything that happened during the last move of the clock. */
export function MoveResult({ move }: { move: ClockMove }) {
  const { from, serviceTime, happened, total } = move;
  return (
    <section class="panel" aria-labelledby="moved" role="status">
      <h2 id="moved">The clock moved</h2>
      <p class="muted">
        <Time at={Date.parse(from)} precision="second" isUtc /> –{' '}
        <Time at={Date.parse(serviceTime)} precision="second" isUtc />
      </p>
      {happened.length === 0 ? (
        <p class="empty">Nothing was due in between.</p>
      ) : (
        <ol class="happened">
          {happened.slice(0, LISTED).map(({ at, kind, label, id }) => (
            <li key={`${at} ${kind} ${id}`}>
              <Time at={Date.parse(at)} precision="second" isUtc />
              <bdi>{label}</bdi>
            </li>
          ))}
        </ol>
      )}
      {total > LISTED && <p class="muted">And {total - LISTED} more.</p>}
    </section>
  );
}
