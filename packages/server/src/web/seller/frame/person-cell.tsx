import { type ListedPerson, personInWords } from './seller-wording.js';

/** Person in a table: the name, linked if there is a page, and the email address below it. */
export function PersonCell(props: {
  person: ListedPerson;
  /** @default no link */
  href?: string | undefined;
  /** Text after the name: " (you)". */
  suffix?: string;
}) {
  const { person, href, suffix = '' } = props;
  const name = personInWords(person);
  return (
    <>
      {href === undefined ? (
        <bdi>{name}</bdi>
      ) : (
        <a href={href}>
          <bdi>{name}</bdi>
        </a>
      )}
      {suffix}
      {person.email !== null && person.email !== name && (
        <p class="muted">
          <bdi>{person.email}</bdi>
        </p>
      )}
    </>
  );
}
