export type {
  BuyerAct,
  PaymentDriver,
  PaymentReference,
  ProviderPage,
  ProviderWebhook,
  TestedProvider,
} from './payments/payment-driver.js';
export type { PaymentCase } from './payments/payment-session.js';
export {
  PAYMENT_CASES,
  type PaymentTestOptions,
  selectPaymentCases,
  testPaymentProvider,
} from './payments/test-payment-provider.js';
