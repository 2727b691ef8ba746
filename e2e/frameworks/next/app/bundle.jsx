'use client';

import '@latchkey/widget/define';

export { Membership } from '../../membership';
