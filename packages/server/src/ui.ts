/** Parts of a page, for additional routes that look like the service's own pages. */

export { type DocumentProps, renderDocument } from './web/ui/frame/document.js';
export { type MessagePageProps, messagePage } from './web/ui/frame/message-page.js';
export { type PageOptions, sendPage } from './web/ui/frame/send-page.js';
export type { Page } from './web/ui/frame/site.js';
export { errorAttributes, FieldError } from './web/ui/parts/field-error.js';
export {
  AlertIcon,
  ArrowIcon,
  BellIcon,
  BookIcon,
  ChatIcon,
  CheckIcon,
  MailIcon,
  PersonIcon,
} from './web/ui/parts/icons.js';
export { Notice } from './web/ui/parts/notice.js';
export { Avatar, ClientLogo } from './web/ui/parts/picture.js';
export { PlainDateTime } from './web/ui/parts/plain-time.js';
export { Snippet } from './web/ui/parts/secret-field.js';
