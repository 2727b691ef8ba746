import {
  Button,
  ChoiceGroup,
  DateField,
  ErrorSummary,
  MoneyField,
  Panel,
  SegmentedField,
  SelectField,
  Switch,
  TextArea,
  TextField,
} from '@latchkey/server/ui';
import type { TextOf } from './long-text.js';

/** Fields of forms: empty, filled and with errors. */
export function FieldSamples({ text }: { text: TextOf }) {
  const errors = [
    { field: 'faulty-email', message: text('Enter an e-mail address, such as ada@example.com.') },
    { field: 'faulty-price', message: text('Enter a price, such as 9.50 or 9,50.') },
    { field: 'faulty-ends', message: text('Enter an end in the future.') },
  ];
  return (
    <>
      <Panel heading={text('Fields')}>
        <form class="form" method="get" action="/sandbox/parts">
          <TextField
            name="name"
            label={text('Name')}
            hint={text('Members see it.')}
            value="Roaster’s Table"
          />
          <TextArea name="text" label={text('Description')} value={text('Two bags a month.')} />
          <div class="field-pair">
            <DateField
              name="starts"
              label={text('Starts')}
              hint={text('Leave blank to start now.')}
              value={null}
            />
            <DateField name="ends" label={text('Ends')} value={Date.UTC(2026, 11, 5, 18, 30)} hasTime />
          </div>
          <div class="field-pair">
            <MoneyField name="price" label={text('Price')} value="9,50" currency="EUR" />
            <SelectField
              name="interval"
              label={text('Interval')}
              value="month"
              options={[
                { value: 'month', label: text('Every month') },
                { value: 'year', label: text('Every year') },
              ]}
            />
          </div>
          <SegmentedField
            name="reply"
            label={text('Reply with')}
            value="500"
            options={['204', '500', 'timeout'].map((value) => ({ value, label: text(value) }))}
          />
          <ChoiceGroup
            name="scopes"
            label={text('Scopes')}
            type="checkbox"
            choices={[
              {
                value: 'm',
                label: 'memberships.read',
                hint: text('Current access and end dates.'),
                checked: true,
              },
              { value: 'p', label: 'products.read', checked: false },
            ]}
          />
          <Switch name="listed" label={text('Show on the public page')} checked />
          <div class="form-actions">
            <Button kind="primary">{text('Save changes')}</Button>
            <a href="#content">{text('Cancel')}</a>
          </div>
        </form>
      </Panel>
      <ErrorSummary errors={errors} />
      <Panel heading={text('Fields with errors')}>
        <form class="form" method="get" action="/sandbox/parts">
          <TextField name="faulty-email" label={text('E-mail')} value="ada@" errors={errors} />
          <MoneyField name="faulty-price" label={text('Price')} value="nine" currency="EUR" errors={errors} />
          <DateField name="faulty-ends" label={text('Ends')} value={null} hasTime errors={errors} />
        </form>
      </Panel>
    </>
  );
}
