import { readFileSync } from 'node:fs';

/** Element of the manifest, as far as the configurator reads it. */
interface Declaration {
  readonly tagName?: string;
  readonly attributes?: readonly { name: string; description?: string; type?: { text: string } }[];
  readonly cssProperties?: readonly { name: string; description?: string }[];
}

const MANIFEST = new URL('../widget/custom-elements.json', import.meta.url);

/** Returns the settings of the widget's elements, from its manifest. Attributes that only tell a state are left out. */
export function readElements(): object[] {
  const { modules } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as {
    modules: readonly { declarations?: readonly Declaration[] }[];
  };
  return modules.flatMap(({ declarations = [] }) =>
    declarations.flatMap(({ tagName, attributes = [], cssProperties = [] }) =>
      tagName === undefined
        ? []
        : [{ name: tagName, attributes: attributes.flatMap(settingOf), properties: cssProperties }],
    ),
  );
}

function settingOf({
  name,
  description = '',
  type,
}: NonNullable<Declaration['attributes']>[number]): object[] {
  if (description.includes('Read-only.')) return [];
  return [{ name, description, type: type?.text ?? 'string' }];
}
