import type { SignInPerson } from '@latchkey/server';
import {
  AddedNotes,
  Avatar,
  Button,
  CodeBlock,
  CopyText,
  Panel,
  Pill,
  peopleByGroup,
  Time,
} from '@latchkey/server/ui';
import { CLOCK_PRESET_WORDS } from '../control/routes/routes.js';
import type { ClockMove, ClockPreset } from '../control/timeline/timeline.js';
import { envBlock, type SandboxValue } from '../integration/sandbox-values.js';
import type { CodeSnippet } from '../integration/snippet-choice.js';
import { dataHref } from '../navigation/data-href.js';
import { PICK_PERSON_PATH } from '../people/sandbox-people.js';

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
                {CLOCK_PRESET_WORDS[preset].name}
              </Button>
              <p class="muted">
                {at === null ? (
                  CLOCK_PRESET_WORDS[preset].without
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

export interface PasteProps {
  readonly values: readonly SandboxValue[];
  /** Empty for a sandbox without sample data. */
  readonly snippets: readonly CodeSnippet[];
}

/** How many values are always shown. A first page needs no others. */
const SHOWN_VALUES = 2;

function Values({ values }: Pick<PasteProps, 'values'>) {
  return (
    <dl class="values">
      {values.map(({ label, value }) => (
        <div class="value" key={label}>
          <dt class="muted">{label}</dt>
          <dd>
            <CopyText label={label} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function PasteSection({ values, snippets }: PasteProps) {
  return (
    <section class="panel paste" aria-labelledby="paste-title">
      <h2 id="paste-title">For your own site</h2>
      <Values values={values.slice(0, SHOWN_VALUES)} />
      {values.length > SHOWN_VALUES && (
        <details class="fold">
          <summary>All values</summary>
          <Values values={values.slice(SHOWN_VALUES)} />
        </details>
      )}
      <details class="fold">
        <summary>
          The same as an <code>.env</code> file
        </summary>
        <div id="env">
          <CodeBlock label=".env file" text={envBlock(values)} language="shell" />
        </div>
      </details>
      {snippets.length > 0 && (
        <>
          <h3 class="section-label">Code for this sandbox</h3>
          <p class="muted">
            <a href="/docs/overview#install">Install</a> says where the packages come from.
          </p>
          {snippets.map(({ title, note, code }) => (
            <details class="fold" key={title} name="snippet">
              <summary>{title}</summary>
              <p class="muted">{note}</p>
              <CodeBlock label={`${title} snippet`} text={code} />
            </details>
          ))}
        </>
      )}
    </section>
  );
}

export interface PeopleProps {
  readonly people: readonly SignInPerson[];
  /** Email address of the user who is signed in with this browser. */
  readonly signedInAs?: string | undefined;
}

export function People({ people, signedInAs }: PeopleProps) {
  const { first, groups, areOpen } = peopleByGroup(people);
  return (
    <Panel
      heading="People to sign in as"
      actions={<a href={dataHref('users')}>Search all users</a>}
      id="people"
    >
      <div class="people-groups" id="people-list" data-live>
        {first.length > 0 && <PersonRows people={first} signedInAs={signedInAs} />}
        {groups.map(({ heading, members }) => (
          <details class="fold" key={heading} open={areOpen}>
            <summary>
              {heading} ({members.length})
            </summary>
            <PersonRows people={members} signedInAs={signedInAs} />
          </details>
        ))}
      </div>
    </Panel>
  );
}

function PersonRows({ people, signedInAs }: PeopleProps) {
  return (
    <ul class="rows">
      {people.map((user) => (
        <li class="row" key={user.email}>
          <Avatar name={user.name} />
          <div class="row-text">
            <p class="row-title">
              <bdi>{user.name}</bdi> {user.email === signedInAs && <Pill tone="good">signed in</Pill>}
            </p>
            <p class="muted">
              <AddedNotes note={user.note} />
            </p>
          </div>
          <p class="row-end muted">
            <bdi>{user.email}</bdi>
          </p>
          {user.email !== signedInAs && (
            <form method="post" action={PICK_PERSON_PATH} data-at-once>
              <input type="hidden" name="email" value={user.email} />
              <input type="hidden" name="continue" value="/sandbox" />
              <Button isSmall>
                Sign in<span class="visually-hidden"> as {user.name}</span>
              </Button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}
