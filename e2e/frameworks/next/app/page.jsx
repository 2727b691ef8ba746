export { Membership as default } from './bundle';
