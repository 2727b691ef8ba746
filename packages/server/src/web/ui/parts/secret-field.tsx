/** Read-only field with a secret to copy. Browsers select its content when the Tab key moves there. */
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

/** Code to copy. A click selects all of it. Long lines scroll, or wrap if `wraps` is true. */
export function Snippet(props: { label: string; text: string; wraps?: boolean }) {
  const className = props.wraps === true ? 'snippet wraps' : 'snippet';
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it sideways.
    <section class={className} dir="ltr" tabIndex={0} aria-label={props.label}>
      <pre>
        <code>{props.text}</code>
      </pre>
    </section>
  );
}
