export type { PaymentCase } from './payments/payment-case.js';
export type {
  BuyerAct,
  PaymentDriver,
  PaymentReference,
  ProviderPage,
  ProviderWebhook,
  TestedProvider,
} from './payments/payment-driver.js';
export {
  PAYMENT_CASES,
  type PaymentTestOptions,
  selectPaymentCases,
  testPaymentProvider,
} from './payments/test-payment-provider.js';
