/** Parts of a page, for additional routes that look like the service's own pages. */

export { peopleByGroup } from './web/sign-in/sign-in-choices.js';
export { type Asset, assetOf, sendAsset } from './web/ui/frame/asset.js';
export { type DocumentProps, renderDocument, renderPart } from './web/ui/frame/document.js';
export { type MessagePageProps, messagePage } from './web/ui/frame/message-page.js';
export type { Page } from './web/ui/frame/send-page.js';
export { type PageOptions, sendPage } from './web/ui/frame/send-page.js';
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
export { Button, ButtonLink, ErrorSummary, type FormError, Notice } from './web/ui/parts/form-parts.js';
export {
  AlertIcon,
  ArrowIcon,
  BookIcon,
  ChatIcon,
  CheckIcon,
  MailIcon,
  PersonIcon,
} from './web/ui/parts/icons.js';
export { Dialog, Disclosure, EmptyState, Panel, Stats, SubNav } from './web/ui/parts/panel.js';
export { Avatar, ClientLogo } from './web/ui/parts/picture.js';
export { type Check, CheckList, type Step, Steps, type Task, TaskList } from './web/ui/parts/steps.js';
export { type Column, Table } from './web/ui/parts/table.js';
export { CodeBlock, CopyField, CopyText, Count, Money, Pill, Time } from './web/ui/parts/values.js';
