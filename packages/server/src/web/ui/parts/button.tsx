import type { ComponentChildren, ComponentProps } from 'preact';

/**
 * Weight of a button. `primary`: the one main action of a view. `danger`: red outline, filled while the pointer is on it.
 * `quiet`: no outline.
 */
export type ButtonKind = 'primary' | 'secondary' | 'danger' | 'quiet';

interface Look {
  /** @default "secondary" */
  kind?: ButtonKind;
  isSmall?: boolean;
  children: ComponentChildren;
}

/** Button. It submits its form unless it has another `type`. */
export function Button(props: Look & Omit<ComponentProps<'button'>, 'class' | 'className' | 'children'>) {
  const { kind, isSmall, children, type = 'submit', ...rest } = props;
  return (
    <button {...rest} type={type} class={buttonClass(kind, isSmall)}>
      {children}
    </button>
  );
}

/** Link that looks like a button: it opens a page and changes nothing. */
export function ButtonLink(
  props: Look & { href: string } & Omit<
      ComponentProps<'a'>,
      'class' | 'className' | 'href' | 'role' | 'children'
    >,
) {
  const { kind, isSmall, children, ...rest } = props;
  return (
    <a {...rest} class={buttonClass(kind, isSmall)}>
      {children}
    </a>
  );
}

export function buttonClass(kind: ButtonKind = 'secondary', isSmall = false): string {
  return `button ${kind}${isSmall ? ' small' : ''}`;
}
