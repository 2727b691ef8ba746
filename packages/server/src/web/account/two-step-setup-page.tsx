import { type AreaFrame, renderAreaPage } from '../ui/frame/area-page.js';
import type { Page } from '../ui/frame/send-page.js';
import { Switch, TextField } from '../ui/parts/form-field.js';
import { AccountField, Button, ButtonLink, type FormError } from '../ui/parts/form-parts.js';
import { Panel } from '../ui/parts/panel.js';
import { CopyField } from '../ui/parts/values.js';
import { inAccount, TWO_STEP_PATH } from './account-area.js';

/** Side of the picture, in CSS pixels. It fits a phone of 320 px. */
const SIDE = 200;

/** QR code as a picture in the page. It stays dark on light in every color scheme, because some readers need that. */
function QrCode(props: {
  /** Text that describes the code, for screen readers. */
  label: string;
  /** Dark modules by row, with the light border that readers need. */
  rows: readonly (readonly boolean[])[];
}) {
  const { label, rows } = props;
  const size = rows.length;
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      width={SIDE}
      height={SIDE}
      viewBox={`0 0 ${size} ${size}`}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path fill="#000" d={rows.map(rowPath).join('')} />
    </svg>
  );
}

/** Returns the dark modules of a row, each run of them as one rectangle. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (row[x] !== true) continue;
    const start = x;
    while (row[x + 1] === true) x += 1;
    path += `M${start} ${y}h${x + 1 - start}v1H${start}z`;
  }
  return path;
}

const GROUP = /.{4}(?=.)/g;

interface SetupPageProps {
  frame: AreaFrame;
  /** Secret of the app in base32. */
  secret: string;
  /** `otpauth:` address with the secret. */
  address: string;
  qrCode: readonly (readonly boolean[])[];
  endsOtherSessions: boolean;
  errors?: readonly FormError[] | undefined;
  /**
   * Link to a page that shows the current codes of test users.
   *
   * @default none
   */
  authenticator?: { name: string; href: string } | undefined;
}

/** Shows the secret of a new app. `POST /account/two-step/confirm` with `code`, and `others` = `on` to end other sessions. */
export function twoStepSetupPage(props: SetupPageProps): Page {
  const { frame, errors } = props;
  return renderAreaPage({
    ...inAccount(frame, TWO_STEP_PATH),
    title: 'Set up two-step sign-in',
    parent: { href: TWO_STEP_PATH, label: 'Two-step sign-in' },
    errors,
    children: (
      <>
        <AddAccount {...props} />
        <form class="panel form" method="post" action={`${TWO_STEP_PATH}/confirm`} aria-labelledby="confirm">
          <h2 id="confirm">2. Enter the code from the app</h2>
          <AccountField account={frame.account} />
          <TextField
            name="code"
            label="Six-digit code"
            hint={<CodeHint {...props} />}
            value=""
            required
            inputMode="numeric"
            maxLength={7}
            autoComplete="one-time-code"
            errors={errors}
          />
          <Switch
            name="others"
            label="Sign out of all other browsers"
            hint="Recommended: sessions that exist already did not need your app."
            checked={props.endsOtherSessions}
          />
          <div class="form-actions">
            <Button kind="primary">Turn on two-step sign-in</Button>
            <ButtonLink href={TWO_STEP_PATH} label="Cancel" />
          </div>
        </form>
      </>
    ),
  });
}

function CodeHint({ authenticator }: SetupPageProps) {
  const text = 'The app shows a new code every 30 seconds.';
  if (authenticator === undefined) return <>{text}</>;
  return (
    <>
      {text} Test codes are in the{' '}
      <a href={authenticator.href} target="_blank" rel="noopener">
        {authenticator.name}
        <span class="visually-hidden"> (opens in a new tab)</span>
      </a>
      .
    </>
  );
}

function AddAccount({ secret, address, qrCode }: SetupPageProps) {
  return (
    <Panel id="add" heading="1. Add your account to the app">
      <div class="two-step-setup">
        <QrCode
          label="QR code for your authenticator app. The key beside it is the same as text."
          rows={qrCode}
        />
        <div class="stack">
          <p>Scan the picture with your authenticator app.</p>
          <CopyField
            label="Or enter this key"
            hint="Type: time-based. Spaces don’t matter."
            value={secret.replace(GROUP, '$& ')}
            isSecret
          />
          <p>
            Is the app on this device? <a href={address}>Open the app</a>
          </p>
          <p class="muted">
            Don’t show the key or the picture to anyone. This page is valid for ten minutes.
          </p>
        </div>
      </div>
    </Panel>
  );
}
