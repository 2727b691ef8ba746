/** Parts of a page, for additional routes that look like the service's own pages. */

export { peopleByGroup } from './web/sign-in/sign-in-choices.js';
export { type Asset, assetOf, sendAsset } from './web/ui/frame/asset.js';
export { type DocumentProps, renderDocument, renderPart } from './web/ui/frame/document.js';
export { type MessagePageProps, messagePage } from './web/ui/frame/message-page.js';
export { type PageOptions, sendPage } from './web/ui/frame/send-page.js';
export type { Page } from './web/ui/frame/site.js';
export { Button, ButtonLink } from './web/ui/parts/button.js';
export { CodeBlock, CopyField, CopyText } from './web/ui/parts/copy.js';
export { Dialog } from './web/ui/parts/dialog.js';
export { Disclosure } from './web/ui/parts/disclosure.js';
export { EmptyState } from './web/ui/parts/empty-state.js';
export { ErrorSummary, type FormError, Notice } from './web/ui/parts/error-summary.js';
export {
  ChoiceGroup,
  DateField,
  MoneyField,
  SegmentedField,
  SelectField,
  Switch,
  TextArea,
  TextField,
} from './web/ui/parts/form-field.js';
export {
  AlertIcon,
  ArrowIcon,
  BookIcon,
  ChatIcon,
  CheckIcon,
  MailIcon,
  PersonIcon,
} from './web/ui/parts/icons.js';
export { Count, Money } from './web/ui/parts/money.js';
export { Panel } from './web/ui/parts/panel.js';
export { Avatar, ClientLogo } from './web/ui/parts/picture.js';
export { Pill } from './web/ui/parts/pill.js';
export { Stats } from './web/ui/parts/stats.js';
export { type Check, CheckList, type Step, Steps, type Task, TaskList } from './web/ui/parts/steps.js';
export { SubNav } from './web/ui/parts/sub-nav.js';
export { type Column, Table } from './web/ui/parts/table.js';
export { Time } from './web/ui/parts/time.js';
