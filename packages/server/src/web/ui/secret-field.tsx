/** A secret to be copied: one line that selects itself when it is reached with the Tab key. */
export function SecretField(props: { label: string; secret: string }) {
  return (
    <div class="field">
      <label for="secret">{props.label}</label>
      <input
        class="literal"
        id="secret"
        type="text"
        value={props.secret}
        readOnly
        autoComplete="off"
        spellcheck={false}
      />
    </div>
  );
}

/** Text to be copied as it stands; a click selects all of it. Long lines are broken only when `wraps`. Default false. */
export function Snippet(props: { label: string; text: string; wraps?: boolean }) {
  const look = props.wraps === true ? 'snippet wraps' : 'snippet';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached with the keyboard.
    <section class={look} dir="ltr" tabIndex={0} aria-label={props.label}>
      <pre>
        <code>{props.text}</code>
      </pre>
    </section>
  );
}
