import '@latchkey/widget/define';

export { Membership as default } from '../../membership';
