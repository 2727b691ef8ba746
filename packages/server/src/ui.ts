/** Parts of a page, for additional routes that look like the service's own pages. */

export { peopleByGroup } from './features/sign-in/sign-in-choices.js';
export { type Asset, assetOf, sendAsset } from './web/kit/frame/asset.js';
export { type DocumentProps, renderDocument, renderPart } from './web/kit/frame/document.js';
export { messagePage } from './web/kit/frame/message-page.js';
export type { Page } from './web/kit/frame/send-page.js';
export { type PageOptions, sendPage } from './web/kit/frame/send-page.js';
export { SelectField, Switch, TextField } from './web/kit/parts/form-field.js';
export { Button, ButtonLink, ErrorSummary, Notice } from './web/kit/parts/form-parts.js';
export { AlertIcon, ArrowIcon, BookIcon, ChatIcon, PersonIcon } from './web/kit/parts/icons.js';
export { EmptyState, Panel, SubNav } from './web/kit/parts/panel.js';
export { Avatar, ClientLogo } from './web/kit/parts/picture.js';
export { type Check, CheckList, type Step, Steps } from './web/kit/parts/steps.js';
export { type Column, Table } from './web/kit/parts/table.js';
export {
  AddedNotes,
  CodeBlock,
  CopyText,
  Money,
  Pill,
  Time,
} from './web/kit/parts/values.js';
