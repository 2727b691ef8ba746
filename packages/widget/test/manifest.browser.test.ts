import { expect } from 'chai';
import '../src/define.js';
import type { SessionSnapshot } from '../src/core/index.js';
import { eventsBetween } from '../src/events/widget-events.js';
import { createStillSession, loginStates } from '../src/testing/index.js';

interface Described {
  tagName?: 'latchkey-login' | 'latchkey-gate';
  attributes: { name: string; fieldName?: string }[];
  members: { kind: 'field' | 'method'; name: string }[];
  events?: { name: string }[];
  slots: { name: string }[];
  cssParts: { name: string }[];
  cssProperties: { name: string }[];
}

/** What the frame of every element has for the platform, and for its own classes. */
const FRAME = [
  'constructor',
  'connectedCallback',
  'disconnectedCallback',
  'attributeChangedCallback',
  'update',
  'render',
  'sessionChanged',
];

let described: Described[] = [];

before(async () => {
  const { modules } = await (await fetch('/packages/widget/custom-elements.json')).json();
  described = (modules as { declarations: Described[] }[]).flatMap(({ declarations }) => declarations);
});

const manifestOf = (tag: string) => described.find(({ tagName }) => tagName === tag) as Described;
const names = (list: { name: string }[] = []) => list.map(({ name }) => name).sort();
const set = (list: Iterable<string>) => [...new Set(list)].sort();

for (const tag of ['latchkey-login', 'latchkey-gate'] as const) {
  describe(`the manifest of <${tag}>`, () => {
    const Class = customElements.get(tag) as unknown as { observedAttributes: string[]; styles: string[] };
    const styles = Class.styles.join('\n');
    afterEach(() => document.body.replaceChildren());

    /** Everything in the element's shadow, over all of its states. */
    async function everything(): Promise<Element[]> {
      const found: Element[] = [];
      for (const snapshot of Object.values<SessionSnapshot>(loginStates)) {
        const element = document.createElement(tag);
        element.session = createStillSession(snapshot);
        document.body.append(element);
        await element.updateComplete;
        element.shadowRoot?.querySelector<HTMLElement>('[aria-expanded]')?.click();
        await element.updateComplete;
        found.push(...(element.shadowRoot?.querySelectorAll('*') ?? []));
      }
      return found;
    }

    it('names every attribute that the class observes or its styles look at, and no other', () => {
      const styled = [...styles.matchAll(/\[([\w-]+)[\]=]/g)].map(([, name = '']) => name);
      const own = styled.filter((name) => styles.includes(`:host([${name}`) && name !== 'hidden');
      const observed = Class.observedAttributes.filter((name) => name !== 'lang');
      expect(names(manifestOf(tag).attributes)).to.deep.equal(set([...observed, ...own]));
    });

    it('names a property for each attribute that has one, and they reflect each other', () => {
      const element = document.createElement(tag) as unknown as Element & Record<string, unknown>;
      const reflected = manifestOf(tag).attributes.filter(({ fieldName }) => fieldName);
      expect(reflected.length).to.be.greaterThan(9);
      for (const { name, fieldName = '' } of reflected) {
        element[fieldName] = 'a';
        expect(element.getAttribute(name), name).to.equal('a');
        element.setAttribute(name, 'b');
        expect(element[fieldName], fieldName).to.equal('b');
      }
    });

    it('names every property and method that the element has beyond those of HTMLElement, and no other', () => {
      const members: string[] = [];
      for (
        let prototype = customElements.get(tag)?.prototype;
        prototype && prototype !== HTMLElement.prototype;
        prototype = Object.getPrototypeOf(prototype)
      )
        members.push(...Object.getOwnPropertyNames(prototype));
      expect(names(manifestOf(tag).members)).to.deep.equal(
        set(members.filter((name) => !FRAME.includes(name))),
      );
    });

    it('names every slot, and no other', async () => {
      const slots = (await everything()).filter((element) => element instanceof HTMLSlotElement);
      const others = tag === 'latchkey-login' ? ['checking', 'signed-out'] : [];
      expect(set(slots.map(({ name }) => name)).filter((name) => !others.includes(name))).to.deep.equal(
        names(manifestOf(tag).slots),
      );
    });

    it('names every part, and no other', async () => {
      const parts = (await everything()).flatMap(({ part }) => [...part]);
      expect(set(parts)).to.deep.equal(names(manifestOf(tag).cssParts));
    });

    it('names every custom property that its styles read, and no other', () => {
      const read = [...styles.matchAll(/var\((--latchkey-[\w-]+)/g)].map(([, name = '']) => name);
      expect(names(manifestOf(tag).cssProperties)).to.deep.equal(set(read));
    });
  });
}

it('the manifest of <latchkey-login> names every event, and no other', () => {
  const snapshots = Object.values<SessionSnapshot>(loginStates);
  const told = snapshots.flatMap((before) =>
    snapshots.flatMap((after) => eventsBetween(before, after).map(([type]) => type)),
  );
  expect(set(told)).to.deep.equal(names(manifestOf('latchkey-login').events));
});
