/** Parts of a page, for additional routes that look like the service's own pages. */

export { type DocumentProps, renderDocument } from './web/ui/document.js';
export { errorAttributes, FieldError } from './web/ui/field-error.js';
export {
  AlertIcon,
  ArrowIcon,
  BellIcon,
  BookIcon,
  ChatIcon,
  CheckIcon,
  MailIcon,
  PersonIcon,
} from './web/ui/icons.js';
export { type MessagePageProps, messagePage } from './web/ui/message-page.js';
export { Notice } from './web/ui/notice.js';
export { Avatar, ClientLogo } from './web/ui/picture.js';
export { PlainDateTime } from './web/ui/plain-time.js';
export { Snippet } from './web/ui/secret-field.js';
export { type PageOptions, sendPage } from './web/ui/send-page.js';
export type { Page } from './web/ui/site.js';
