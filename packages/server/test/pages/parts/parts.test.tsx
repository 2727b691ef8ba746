import { load } from 'cheerio';
import { render } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { formatPrice } from '../../../src/features/plans/price.js';
import { phrase, speak } from '../../../src/platform/language/language.js';
import { defineForm, radios, select } from '../../../src/web/kit/parts/define-form.js';
import { DateField, MoneyField, SegmentedField } from '../../../src/web/kit/parts/form-field.js';
import { Button, ButtonLink } from '../../../src/web/kit/parts/form-parts.js';
import { Dialog, EmptyState, Panel, SubNav } from '../../../src/web/kit/parts/panel.js';
import { type Column, Table } from '../../../src/web/kit/parts/table.js';
import {
  CodeBlock,
  CopyField,
  CopyText,
  Count,
  Money,
  Pill,
  Time,
} from '../../../src/web/kit/parts/values.js';
import { renderPart } from './render-part.js';

const MARKUP = '"><img src=x onerror=alert(1)>';

describe('Table', () => {
  interface Member {
    id: string;
    name: string;
    paid: number;
  }
  const columns: Column<Member>[] = [
    { heading: 'Member', cell: ({ name }) => name },
    { heading: 'Paid', isNumeric: true, cell: ({ paid }) => paid },
    { heading: 'Actions', isHeadingHidden: true, cell: () => 'Edit' },
  ];
  const rows = [{ id: '1', name: MARKUP, paid: 9 }];
  const props = { label: 'Members', columns };

  it('has a name, headings of columns and rows, and explicit roles', () => {
    const $ = renderPart(<Table {...props} rows={rows} />);
    expect($('table[role="table"] > caption').text()).toBe('Members');
    expect(
      $('thead th[scope="col"][role="columnheader"]')
        .toArray()
        .map((cell) => $(cell).text()),
    ).toEqual(['Member', 'Paid', 'Actions']);
    expect($('tbody th[scope="row"][role="rowheader"]').text()).toBe(MARKUP);
    expect($('tr[role="row"]')).toHaveLength(2);
    expect($('img')).toHaveLength(0);
  });

  it('labels the values of a block, except below a hidden heading', () => {
    const $ = renderPart(<Table {...props} rows={rows} />);
    expect($('td.numeric').attr('data-label')).toBe('Paid');
    expect($('td').last().attr('data-label')).toBeUndefined();
    expect($('thead th .visually-hidden').text()).toBe('Actions');
  });

  it('shows the content for an empty table instead of its headings', () => {
    const $ = renderPart(<Table {...props} rows={[]} empty={<p>No members yet</p>} />);
    expect($('body').html()).toBe('<p>No members yet</p>');
    expect(renderPart(<Table {...props} rows={[]} />)('thead th')).toHaveLength(3);
  });
});

describe('CopyField', () => {
  it('labels and describes the value, and has a copy button with the name of the value', () => {
    const $ = renderPart(<CopyField label="Client ID" value={MARKUP} hint="Public." />);
    const value = $('output');
    expect(value.text()).toBe(MARKUP);
    expect($(`label[for="${value.attr('id')}"]`).text()).toBe('Client ID');
    expect($(`#${value.attr('aria-describedby')}`).text()).toBe('Public.');
    expect($('button[type="button"][data-copy]').text()).toContain('Copy Client ID');
    expect($('img')).toHaveLength(0);
  });

  it('has an id of its own for each field of a page', () => {
    const $ = renderPart(
      <>
        <CopyField label="Key" value="1" />
        <CopyField label="Key" value="2" />
      </>,
    );
    const ids = $('output')
      .toArray()
      .map((field) => $(field).attr('id'));
    expect(new Set(ids).size).toBe(2);
  });

  it('holds nothing but the value in the copied element', () => {
    expect(renderPart(<CopyText label="Community ID" value=" a " />)('[data-copy-source]').text()).toBe(
      ' a ',
    );
    const $ = renderPart(<CodeBlock label="Body" text={`\n{"a": "${MARKUP}"}`} language="json" />);
    expect($('[data-copyable] [data-copy-source]').text()).toBe(`\n{"a": "${MARKUP}"}`);
    expect($('[role=group][tabindex="0"]').attr('aria-label')).toBe('Body');
  });
});

describe('Dialog', () => {
  it('opens and closes without a script, and is named by its title', () => {
    const $ = renderPart(
      <Dialog id="end" button="End membership" buttonKind="danger" title="End it?">
        <p>Access ends now.</p>
      </Dialog>,
    );
    expect($('button.danger[popovertarget="end"]').text()).toBe('End membership');
    expect($('#end[popover="auto"][role="dialog"][aria-labelledby="end-title"]')).toHaveLength(1);
    expect($('#end-title').text()).toBe('End it?');
    expect($('#end button[popovertargetaction="hide"]').text()).toBe('Close');
  });
});

describe('buttons', () => {
  it('submit by default, as secondary buttons', () => {
    const $ = renderPart(<Button name="do">Save</Button>);
    expect($('button').attr()).toEqual({ name: 'do', type: 'submit', class: 'button secondary' });
    const link = renderPart(
      <ButtonLink href="/x" kind="primary" isSmall>
        New plan
      </ButtonLink>,
    );
    expect(link('a').attr()).toEqual({ href: '/x', class: 'button primary small' });
  });
});

describe('Money', () => {
  // ICU separates with a no-break space in some versions and a narrow one in others.
  const text = (locale: string, minor: number, currency: string) =>
    speak('en', () => formatPrice(minor, currency), locale).replace(/[\u00a0\u202f]/g, ' ');

  it.each([
    ['en-GB', 950, 'EUR', '€9.50'],
    ['de', 950, 'EUR', '9,50 €'],
    ['fr', 1_234_567, 'EUR', '12 345,67 €'],
    ['en-US', 950, 'USD', '$9.50'],
    ['ja', 900, 'JPY', '￥900'],
    ['en-GB', Number.MAX_SAFE_INTEGER, 'EUR', '€90,071,992,547,409.91'],
  ])('formats in %s', (locale, minor, currency, expected) => {
    expect(text(locale, minor, currency)).toBe(expected);
  });

  it('has Latin figures in every locale, like codes and dates', () => {
    expect(text('ar-EG', 950, 'EUR')).toMatch(/9[.,٫]50/);
    expect(renderPart(<Count value={12_500} />, 'fa')('span').text()).toMatch(/12.500/);
  });

  it('takes the locale from the visitor', () => {
    expect(renderPart(<Money minor={950} currency="EUR" />, 'de')('span').text()).toMatch(/^9,50\s€$/);
    expect(renderPart(<Count value={12_500} />, 'de')('span').text()).toBe('12.500');
    expect(renderPart(<Count value={12_500} />)('span').text()).toBe('12,500');
  });
});

describe('fields', () => {
  it('DateField has the day, the time and the zone of an instant in UTC', () => {
    const errors = [{ field: 'ends', message: 'Enter a date in the future.' }];
    const at = Date.parse('2026-12-05T18:30:59.999Z');
    const $ = renderPart(<DateField name="ends" label="Ends" value={at} errors={errors} />);
    expect($('[data-date-field]').attr('data-instant')).toBe(String(at));
    expect($('#ends[type="date"]').val()).toBe('2026-12-05');
    expect($('#ends-time[type="time"]').val()).toBe('18:30');
    expect($('label[for="ends-time"]').text()).toBe('Ends: time (optional)');
    expect($('input[type="hidden"][name="zone"]').val()).toBe('UTC');
    expect($('#ends').attr('aria-invalid')).toBe('true');
    expect($(`#${$('#ends').attr('aria-describedby')}`).text()).toContain('in the future');
  });

  it('DateField without a value is empty', () => {
    const $ = renderPart(<DateField name="ends" label="Ends" value={null} />);
    expect($('#ends').val()).toBe('');
    expect($('#ends-time').val()).toBe('');
    expect($('[data-instant]')).toHaveLength(0);
  });

  it('MoneyField is a text field, because number fields refuse a decimal comma', () => {
    const $ = renderPart(<MoneyField name="price" label="Price" value="9,50" currency="EUR" />);
    expect($('#price').attr()).toMatchObject({ type: 'text', inputmode: 'decimal', value: '9,50' });
    expect($('body').text()).toContain('EUR');
  });

  it('SegmentedField is a labelled group of radio buttons', () => {
    const options = [
      { value: '204', label: 'Reply 204' },
      { value: '500', label: 'Reply 500' },
    ];
    const $ = renderPart(<SegmentedField name="reply" label="Reply with" options={options} value="500" />);
    expect($('fieldset#reply > legend').text()).toBe('Reply with');
    expect($('input[type="radio"][checked]').attr('value')).toBe('500');
    expect($('label[for="reply-204"]').text()).toBe('Reply 204');
  });
});

describe('Time', () => {
  const at = Date.parse('2026-11-22T06:51:07.000Z');

  it.each([
    ['date', '22 Nov 2026'],
    ['minute', '22 Nov 2026, 06:51 UTC'],
    ['second', '22 Nov 2026, 06:51:07 UTC'],
  ] as const)('with precision %s', (precision, expected) => {
    const $ = renderPart(<Time at={at} precision={precision} />);
    expect($('time').text()).toBe(expected);
    expect($('time').attr()).toMatchObject({
      datetime: '2026-11-22T06:51:07.000Z',
      'data-local': precision,
      dir: 'ltr',
    });
  });
});

describe('defineForm', () => {
  const form = defineForm({
    club: select({
      label: phrase('Community'),
      options: [
        { value: '', label: phrase('None') },
        { value: 'a', name: 'Failed' },
        { value: 'b', name: 'constructor' },
        { value: 'c', label: phrase('Product: {name}'), name: 'Paid' },
      ],
    }),
    role: radios({ label: phrase('Role'), choices: [{ value: 'OWNER', label: phrase('Owner') }] }),
  });
  const inGerman = () => speak('de', () => load(render(<form>{form.fields({ values: form.empty })}</form>)));

  it('translates its own words, and leaves names that people gave as they are', () => {
    const $ = inGerman();
    const texts = (selector: string) =>
      $(selector)
        .toArray()
        .map((element) => $(element).text());
    expect(texts('option')).toEqual(['Keine', 'Failed', 'constructor', 'Produkt: Paid']);
    expect(texts('option[translate=no]')).toEqual(['Failed', 'constructor']);
    expect([...texts('label'), ...texts('legend')]).toEqual(['Community', 'Inhaber', 'Rolle']);
  });

  it('accepts no string as a label, which could be a name', () => {
    const name: string = 'Failed';
    // @ts-expect-error A name that a person gave is no label.
    select({ label: phrase('Community'), options: [{ value: 'a', label: name }] });
    // @ts-expect-error Words are translated once, by the form.
    select({ label: name, options: [] });
  });
});

describe('Panel, Pill, EmptyState and SubNav', () => {
  it('have the roles and classes that the styles expect', () => {
    const $ = renderPart(
      <Panel
        heading="Delete"
        tone="danger"
        id="delete"
        actions={<ButtonLink href="/d">Delete app</ButtonLink>}
      >
        <Pill tone="bad">Failed</Pill>
        <EmptyState title="No apps" text="Apps sign users in." action={{ href: '/new', label: 'New app' }} />
        <SubNav label="App" items={[{ href: '/a', label: 'Settings' }]} current="/a" />
      </Panel>,
    );
    expect($('section#delete.panel.panel-danger .panel-heading > h2').text()).toBe('Delete');
    expect($('.panel-heading-actions a').attr('href')).toBe('/d');
    expect($('.pill.pill-bad').text()).toBe('Failed');
    expect($('.empty-state a.button').attr('href')).toBe('/new');
    expect($('nav[aria-label="App"] a[aria-current="page"]').text()).toBe('Settings');
  });
});
