/** Button that copies the text of an element. Its script shows it. */
export function CopyButton(props: { of: string; name: string }) {
  return (
    <button class="copy" type="button" data-copies={props.of} data-names={props.name} hidden>
      <span class="visually-hidden">Copy {props.name}</span>
    </button>
  );
}
